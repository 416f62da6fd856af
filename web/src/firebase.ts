// The Firebase SDK, led to the emulators. Nothing here is different from an app but the addresses.

import { initializeApp } from "firebase/app";
import { browserSessionPersistence, connectAuthEmulator, initializeAuth } from "firebase/auth";
import type { Auth } from "firebase/auth";
import { connectFirestoreEmulator, getFirestore } from "firebase/firestore";
import type { Firestore } from "firebase/firestore";
import { connectFunctionsEmulator, getFunctions } from "firebase/functions";
import type { Functions } from "firebase/functions";
import type { Suite } from "./types";

export interface Firebase {
  auth: Auth;
  db: Firestore;
  functions: Functions;
}

export async function readSuite(): Promise<Suite> {
  const answer = await fetch("/suite.json");
  if (!answer.ok) throw new Error("suite.json is missing: start the page with `make play`");
  return (await answer.json()) as Suite;
}

export function connect(suite: Suite): Firebase {
  const app = initializeApp({ projectId: suite.project_id, apiKey: "emulator" });
  const auth = initializeAuth(app, { persistence: browserSessionPersistence });
  connectAuthEmulator(auth, `http://${suite.hosts.auth}`, { disableWarnings: true });
  const db = getFirestore(app);
  connectFirestoreEmulator(db, ...hostAndPort(suite.hosts.firestore));
  const functions = getFunctions(app, suite.region);
  connectFunctionsEmulator(functions, ...hostAndPort(suite.hosts.functions));
  return { auth, db, functions };
}

function hostAndPort(host: string): [string, number] {
  const colon = host.lastIndexOf(":");
  return [host.slice(0, colon), Number(host.slice(colon + 1))];
}
