// What the page hears from the product. Names are the product's own.

import type { PictureType } from "./pictures";

export type MemoryStatus = "pending" | "seeding" | "ready" | "empty" | "failed";
export type ReplyKind = "blocked" | "busy" | "budget" | "retry";

export interface DemoUser {
  uid: string;
  name: string;
  email: string;
  password: string;
  has_played: boolean;
}

/** The contract's own words: where an image of a message is. */
export interface Image {
  path: string;
  content_type: PictureType;
}

/** What the tool that starts the suite says in `suite.json`. */
export interface Suite {
  project_id: string;
  region: string;
  hosts: Record<"auth" | "firestore" | "functions", string> & { storage?: string };
  users: DemoUser[];
  soul_ids: string[];
}

export interface Bio {
  display_name: string;
  status: string;
}

export interface Message {
  id: string;
  role: "user" | "soul";
  text: string;
  image: Image | null;
  at: Date;
  counted: boolean;
  unsent: boolean;
}

export interface Chat {
  messages: Message[];
  hasEarlier: boolean;
}

/** The newest reply, whoever asked for it. */
export interface Writing {
  status: "writing" | "done" | "failed";
  expiresAt: Date | null;
}

export interface InspectedSlot {
  slot: { content: string; version: number; cycle_id: string; updated_at?: string | null } | null;
  /** The text before the last cycle that changed it. */
  before?: string | null;
}

export interface Entry {
  cycle_id: string;
  index: number;
  title: string;
  keywords: string[];
  occurred_at: string;
  record: string;
  kind: string | null;
  importance: number;
  secrecy: string;
}

export interface Cycle {
  cycle_id: string;
  kind: string;
  status: string;
  requested_at: string;
  applied_at?: string | null;
  attempts: number;
  consumed?: { count: number; tokens: number } | null;
  episode_play_ids?: string[];
  output?: {
    model_answered: string;
    tokens_in: number;
    tokens_out: number;
    latency_ms: number;
    cost_microdollars?: number | null;
  } | null;
  lorebook_entries: number;
  failure?: { failure_class: string; reason: string } | null;
}

export interface Considered {
  entry_id: string;
  lanes: number[] | Record<string, number>;
  score: number;
  outcome: string;
}

export type Part = { text: string } | { file_data: { file_uri: string; mime_type: string } };

export interface Prompt {
  model: string;
  system_instruction: string;
  contents: { role: "user" | "model"; parts: Part[] }[];
  prompt: { name: string; version: string; sha256: string };
  memory_status: MemoryStatus;
  generation: number;
  token_counts: Record<"system" | "context" | "live" | "total", number>;
  lorebook_entry_ids: string[];
  omitted: { what: string; count: number; reason: string }[];
  recall?: Considered[] | null;
  /** What the user said that the entries were considered for. */
  recall_turn?: string | null;
  semantic_lane?: string | null;
}

export interface Inspection {
  slots: Record<string, InspectedSlot>;
  lorebook: Entry[];
  cycles: Cycle[];
  prompt: Prompt | null;
  counter: { pending_tokens: number; pending_messages: number };
  state: { generation: number };
}

export interface Studio {
  display_name: string;
  status: string;
  persona: string;
  situation: string;
}

export function entryId(entry: Entry): string {
  return `${entry.cycle_id}-${String(entry.index).padStart(3, "0")}`;
}
