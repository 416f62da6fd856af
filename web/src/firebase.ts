// The Firebase SDK, led to the emulators. Nothing here is different from an app but the addresses.

import { initializeApp } from "firebase/app";
import type { FirebaseApp } from "firebase/app";
import { browserSessionPersistence, connectAuthEmulator, initializeAuth } from "firebase/auth";
import type { Auth } from "firebase/auth";
import { connectFirestoreEmulator, getFirestore } from "firebase/firestore";
import type { Firestore } from "firebase/firestore";
import { connectFunctionsEmulator, getFunctions } from "firebase/functions";
import type { Functions } from "firebase/functions";
import { connectStorageEmulator, getStorage } from "firebase/storage";
import type { FirebaseStorage } from "firebase/storage";
import type { Suite } from "./types";

export interface Firebase {
  auth: Auth;
  db: Firestore;
  functions: Functions;
  /** Null where the suite runs without: then no image can be sent. */
  storage: FirebaseStorage | null;
}

export async function readSuite(): Promise<Suite> {
  const answer = await fetch("/suite.json");
  if (!answer.ok) throw new Error("suite.json is missing: start the page with `make play`");
  return (await answer.json()) as Suite;
}

export function connect(suite: Suite): Firebase {
  const { project_id: projectId } = suite;
  const storageBucket = `${projectId}.firebasestorage.app`;
  const app = initializeApp({ projectId, storageBucket, apiKey: "emulator" });
  const auth = initializeAuth(app, { persistence: browserSessionPersistence });
  connectAuthEmulator(auth, `http://${suite.hosts.auth}`, { disableWarnings: true });
  const db = getFirestore(app);
  connectFirestoreEmulator(db, ...hostAndPort(suite.hosts.firestore));
  const functions = getFunctions(app, suite.region);
  connectFunctionsEmulator(functions, ...hostAndPort(suite.hosts.functions));
  const { storage: host } = suite.hosts;
  return { auth, db, functions, storage: host === undefined ? null : storageOf(app, host) };
}

function storageOf(app: FirebaseApp, host: string): FirebaseStorage {
  const storage = getStorage(app);
  connectStorageEmulator(storage, ...hostAndPort(host));
  return storage;
}

function hostAndPort(host: string): [string, number] {
  const colon = host.lastIndexOf(":");
  return [host.slice(0, colon), Number(host.slice(colon + 1))];
}
