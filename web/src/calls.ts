// The callable functions. Every call of the page is here.

import { httpsCallable } from "firebase/functions";
import type { Functions } from "firebase/functions";
import type { Inspection, ReplyKind } from "./types";

export interface Reply {
  generation_id: string;
  messages: { message_id: string; text: string }[];
  replaced: boolean;
  model: string;
}

const KINDS: Record<string, ReplyKind> = {
  "functions/failed-precondition": "blocked",
  "functions/aborted": "busy",
  "functions/resource-exhausted": "budget",
};

const GRACE_MS = 250;

/** Asks the Soul to answer; `onBubble` hears each bubble as it is finished. */
export async function generateReply(
  functions: Functions,
  request: { soul_id: string; request_id: string },
  onBubble: (text: string) => void,
): Promise<Reply> {
  const call = httpsCallable<typeof request, Reply, { bubble?: string }>(
    functions,
    "generate_reply",
  );
  const { stream, data } = await call.stream(request);
  data.catch(() => undefined); // a stream that breaks says so itself
  const grace = (): Promise<null> => new Promise((end) => setTimeout(() => end(null), GRACE_MS));
  for await (const chunk of stream) {
    if (typeof chunk.bubble === "string") onBubble(chunk.bubble);
  }
  // An answer that was no stream, as an early refusal is, leaves the SDK waiting for ever. The same
  // request again is answered with what became of it.
  return (await Promise.race([data, grace()])) ?? (await call(request)).data;
}

/** Everything of a thread that only an operator may see. */
export async function inspectThread(
  functions: Functions,
  request: { uid: string; soul_id: string },
): Promise<Inspection> {
  return (await httpsCallable<typeof request, Inspection>(functions, "inspect_thread")(request))
    .data;
}

/** What a failed reply means for whoever waits for it. */
export function kindOf(error: unknown): ReplyKind {
  const { code, details } = error as { code?: string; details?: { kind?: ReplyKind } };
  return details?.kind ?? KINDS[code ?? ""] ?? "retry";
}
