// The demo's chat, which the tool that starts the suite lays beside the page.

import type { Message } from "./types";

const MOST = 300;

export async function demoChat(): Promise<Pick<Message, "role" | "text">[]> {
  const lines = (await (await fetch("/chat.jsonl")).text()).split("\n").filter(Boolean);
  return lines.slice(0, MOST).map((line) => JSON.parse(line) as Pick<Message, "role" | "text">);
}
