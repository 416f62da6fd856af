// Things that tests are about, with every part that a test does not care for filled in.

import { NO_THREAD } from "../src/state";
import type { State } from "../src/state";
import type { Cycle, Inspection, Message, Prompt, Studio } from "../src/types";

export function message(change: Partial<Message> = {}): Message {
  return {
    id: "m1",
    role: "user",
    text: "안녕하세요",
    image: null,
    at: new Date("2026-05-28T14:14:00Z"),
    counted: true,
    unsent: false,
    ...change,
  };
}

export function cycle(status: string, change: Partial<Cycle> = {}): Cycle {
  return {
    cycle_id: "000001",
    kind: "summary",
    status,
    requested_at: "2026-05-28T14:14:00Z",
    attempts: 1,
    lorebook_entries: 0,
    ...change,
  };
}

export function prompt(change: Partial<Prompt> = {}): Prompt {
  return {
    model: "gemini",
    system_instruction: "",
    contents: [],
    prompt: { name: "chat", version: "v6", sha256: "0" },
    memory_status: "ready",
    generation: 1,
    token_counts: { system: 0, context: 0, live: 0, total: 0 },
    lorebook_entry_ids: [],
    omitted: [],
    ...change,
  };
}

export function inspection(change: Partial<Inspection> = {}): Inspection {
  return {
    slots: {},
    lorebook: [],
    cycles: [],
    prompt: prompt(),
    counter: { pending_tokens: 0, pending_messages: 0 },
    state: { generation: 1 },
    ...change,
  };
}

export function studio(change: Partial<Studio> = {}): Studio {
  return { display_name: "윤해온", status: "현상 중", persona: "", situation: "", ...change };
}

export function state(change: Partial<State> = {}): State {
  return {
    ...NO_THREAD,
    language: "ko",
    users: [],
    soulIds: [],
    bios: {},
    user: null,
    soulId: null,
    online: true,
    problem: null,
    side: "chat",
    tab: "slots",
    ...change,
  };
}
