// Everything the page shows, in one place; views are functions of it.

import type { PictureProblem } from "./pictures";
import type { Language } from "./text";
import { sayable } from "./wording";
import type {
  Bio,
  Chat,
  DemoUser,
  Inspection,
  MemoryStatus,
  ReplyKind,
  Studio,
  Writing,
} from "./types";

export const TABS = ["slots", "lorebook", "prompt", "recall", "cycles", "director"] as const;
export type Tab = (typeof TABS)[number];

export interface DirectorState {
  saved: Studio | null;
  draft: Studio | null;
  saving: boolean;
  /** Whether what was saved last stands in the prompt: unknown until something is saved. */
  arrived: "unknown" | "waiting" | "yes";
  /** The lines that the last save changed. */
  marks: string[];
}

/** The image that goes with the next message; `sent` is how much of it has gone, 0 to 1. */
export interface Attachment {
  file: File;
  url: string;
  status: "ready" | "uploading" | "failed";
  sent: number;
}

export type Picture = { status: "loading" | "failed" } | { status: "there"; url: string };

export interface State {
  language: Language;
  users: DemoUser[];
  soulIds: string[];
  bios: Record<string, Bio>;
  user: DemoUser | null;
  soulId: string | null;
  memoryStatus: MemoryStatus | null;
  chat: Chat;
  draft: string;
  attachment: Attachment | null;
  attachmentProblem: PictureProblem | null;
  /** The chat's images, by their paths. */
  pictures: Record<string, Picture>;
  writing: Writing | null;
  asking: boolean;
  /** The bubbles of a reply that have arrived before the messages have; null when none may. */
  arriving: string[] | null;
  replyFailure: ReplyKind | null;
  replay: { done: number; total: number } | null;
  online: boolean;
  problem: string | null;
  side: "chat" | "soul";
  tab: Tab;
  inspection: Inspection | null;
  inspectionProblem: string | null;
  director: DirectorState;
}

export const NO_CHAT: Chat = { messages: [], hasEarlier: false };
export const NO_DIRECTOR: DirectorState = {
  saved: null,
  draft: null,
  saving: false,
  arrived: "unknown",
  marks: [],
};

/** What belongs to one chat, as it is before the chat is opened. */
export const NO_THREAD = {
  memoryStatus: null,
  chat: NO_CHAT,
  draft: "",
  attachment: null,
  attachmentProblem: null,
  pictures: {},
  writing: null,
  asking: false,
  arriving: null,
  replyFailure: null,
  replay: null,
  inspection: null,
  inspectionProblem: null,
  director: NO_DIRECTOR,
} satisfies Partial<State>;

export class Store {
  private waiting = false;

  constructor(
    public state: State,
    private readonly draw: (state: State) => void,
  ) {}

  /** Changes something; what is drawn follows in a moment, once for many changes. */
  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    if (this.waiting) return;
    this.waiting = true;
    queueMicrotask(() => {
      this.waiting = false;
      this.draw(this.state);
    });
  }
}

export function isTyping(state: State, now: Date): boolean {
  if (state.arriving !== null) return true;
  const { writing } = state;
  return writing?.status === "writing" && writing.expiresAt !== null && writing.expiresAt > now;
}

/** Whether there is something to send, and nothing on its way before it. */
export function canSend({ draft, attachment }: State): boolean {
  return attachment === null ? sayable(draft) !== "" : attachment.status !== "uploading";
}
