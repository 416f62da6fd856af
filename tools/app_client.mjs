// The app, as a process: the real Firebase SDK against the emulators.
//
//   node app_client.mjs '{"project_id": …, "region": …, "hosts": {"auth": "host:port", …}}'
//
// One JSON command a line on stdin, {"id", "command", …}; one JSON line a step on stdout:
// {"id", "progress"} while it goes on, then {"id", "ok"} or {"id", "error": {"code", "message"}}.
// Ends when stdin does. tools/app_client.py speaks to it.

import { createInterface } from "node:readline";
import { initializeApp } from "firebase/app";
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signOut,
} from "firebase/auth";
import * as firestore from "firebase/firestore";
import { connectFunctionsEmulator, getFunctions, httpsCallable } from "firebase/functions";

const { addDoc, collection, doc, getDoc, getDocs, limit, orderBy, query, setDoc } = firestore;

const settings = JSON.parse(process.argv[2]);
const app = initializeApp({ projectId: settings.project_id, apiKey: "emulator" });
const auth = getAuth(app);
const db = firestore.getFirestore(app);
const functions = getFunctions(app, settings.region);

function connect() {
  firestore.setLogLevel("error");
  connectAuthEmulator(auth, `http://${settings.hosts.auth}`, { disableWarnings: true });
  firestore.connectFirestoreEmulator(db, ...hostAndPort(settings.hosts.firestore));
  connectFunctionsEmulator(functions, ...hostAndPort(settings.hosts.functions));
}

function hostAndPort(host) {
  const colon = host.lastIndexOf(":");
  return [host.slice(0, colon), Number(host.slice(colon + 1))];
}

const commands = {
  // A uid is what the auth emulator takes plain JSON for, in place of a signed token.
  async signIn({ uid, email, claims }) {
    const signedIn = uid
      ? await signInWithCustomToken(auth, JSON.stringify({ uid, claims: claims ?? {} }))
      : await withPassword(email, "emulator-only");
    return signedIn.user.uid;
  },

  async signOut() {
    await signOut(auth);
    return null;
  },

  async createThread({ soulId }) {
    await setDoc(threadOf(soulId), { created_at: firestore.serverTimestamp() });
    return null;
  },

  async sendMessage({ soulId, ...message }) {
    return await send(soulId, message);
  },

  async sendMessages({ soulId, messages }, progress) {
    const ids = [];
    for (const message of messages) {
      ids.push(await send(soulId, message));
      progress(ids.length);
    }
    return ids;
  },

  async getThread({ soulId }) {
    const found = await getDoc(threadOf(soulId));
    return found.exists() ? plain(found.data()) : null;
  },

  async listMessages({ soulId, limit: most }) {
    const newest = query(messagesOf(soulId), orderBy("created_at", "desc"), limit(most));
    const found = await getDocs(newest);
    return found.docs.map((one) => ({ id: one.id, ...plain(one.data()) })).reverse();
  },

  // Resolves with the first status of `until`; the caller bounds the wait.
  watchThread({ soulId, until }, progress) {
    return new Promise((resolve, reject) => {
      const stop = firestore.onSnapshot(
        threadOf(soulId),
        (found) => {
          const status = found.data()?.memory_status ?? "pending";
          progress(status);
          if (until.includes(status)) {
            stop();
            resolve(status);
          }
        },
        reject,
      );
    });
  },

  async call({ name, data }) {
    return (await httpsCallable(functions, name)(data)).data ?? null;
  },

  // A callable that streams: each chunk is progress, the result comes last.
  async stream({ name, data }, progress) {
    const { stream, data: result } = await httpsCallable(functions, name).stream(data);
    result.catch(() => {}); // it fails as the stream does
    for await (const chunk of stream) progress(chunk);
    return (await result) ?? null;
  },

  // Any document, or any collection as a list of documents: what the rules allow shows.
  async readAny({ path }) {
    if (path.split("/").length % 2 === 0) {
      const found = await getDoc(doc(db, path));
      return found.exists() ? plain(found.data()) : null;
    }
    const found = await getDocs(collection(db, path));
    return found.docs.map((one) => ({ id: one.id, ...plain(one.data()) }));
  },

  // `set`, `update` or `delete` of a document, or `add` to a collection.
  async writeAny({ path, operation, data }) {
    const body = fromPlain(data ?? {});
    if (operation === "add") return (await addDoc(collection(db, path), body)).id;
    const writes = { set: setDoc, update: firestore.updateDoc, delete: firestore.deleteDoc };
    await writes[operation](doc(db, path), ...(operation === "delete" ? [] : [body]));
    return null;
  },
};

function owner() {
  if (auth.currentUser === null) throw fault("signed-out", "sign in before using a thread");
  return auth.currentUser.uid;
}

function threadOf(soulId) {
  return doc(db, "users", owner(), "threads", soulId);
}

function messagesOf(soulId) {
  return collection(threadOf(soulId), "messages");
}

async function send(soulId, { role, text, image }) {
  const message = { role, text, created_at: firestore.serverTimestamp() };
  return (await addDoc(messagesOf(soulId), image ? { ...message, image } : message)).id;
}

async function withPassword(email, password) {
  try {
    return await createUserWithEmailAndPassword(auth, email, password);
  } catch (error) {
    if (error.code !== "auth/email-already-in-use") throw error;
    return await signInWithEmailAndPassword(auth, email, password);
  }
}

// Timestamps travel as ISO text with microseconds, the server's time as {"$server_time": true}.
function plain(value) {
  if (value instanceof firestore.Timestamp) return isoOf(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

function isoOf(timestamp) {
  const seconds = new Date(timestamp.seconds * 1000).toISOString().slice(0, 19);
  const micros = String(Math.floor(timestamp.nanoseconds / 1000)).padStart(6, "0");
  return `${seconds}.${micros}+00:00`;
}

function fromPlain(value) {
  if (value?.$server_time === true) return firestore.serverTimestamp();
  if (Array.isArray(value)) return value.map(fromPlain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fromPlain(one)]));
}

function fault(code, message) {
  return Object.assign(new Error(message), { code });
}

function answer(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function run({ id, command, ...input }) {
  try {
    if (!(command in commands)) throw fault("unknown-command", `no command ${command}`);
    const ok = await commands[command](input, (progress) => answer({ id, progress }));
    answer({ id, ok: ok ?? null });
  } catch (error) {
    // The SDK says "functions/not-found" or "not-found", depending on the product.
    const code = String(error.code ?? "internal").replace(/^[a-z]+\//, "");
    const details = error.details ?? null;
    answer({ id, error: { code, message: String(error.message ?? error), details } });
  }
}

connect();
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void run(JSON.parse(line)));
lines.on("close", () => process.exit(0));
answer({ id: 0, ok: "ready" });
