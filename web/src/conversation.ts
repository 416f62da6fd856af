// One open chat: what is heard of it, and what its user does.

import type { Functions } from "firebase/functions";
import type { Album } from "./album";
import { generateReply, kindOf } from "./calls";
import type { ThreadDocuments } from "./documents";
import { demoChat } from "./replay";
import { canSend } from "./state";
import type { Store } from "./state";
import { sayable } from "./wording";
import { toEnd } from "./views/scrolling";

const PAGE_SIZE = 60;
const PAUSE_MS = 1500; // after the last key, as a friend waits for the next bubble
const MOST_UNCOUNTED = 8;

export class Conversation {
  private stops: (() => void)[] = [];
  private stopMessages = () => {};
  private shown = PAGE_SIZE;
  private wantsReply = false;
  private pause = 0;
  private requestId = "";
  private known = new Set<string>();
  private changed = () => {};
  private replaying = false;
  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly documents: ThreadDocuments,
    private readonly functions: Functions,
    private readonly soulId: string,
    /** Null where no image can be sent. */
    readonly album: Album | null,
    private readonly refresh: () => void,
  ) {}

  watch(): void {
    const { store, documents } = this;
    this.stops.push(
      documents.watchStatus((memoryStatus) => {
        store.set({ memoryStatus });
        this.refresh();
      }, this.failed),
    );
    this.stops.push(documents.watchReply((writing) => store.set({ writing }), this.failed));
    this.watchMessages();
  }

  close(): void {
    this.closed = true;
    this.replaying = false;
    this.changed();
    window.clearTimeout(this.pause);
    this.stopMessages();
    this.album?.close();
    for (const stop of this.stops) stop();
  }

  async open(): Promise<void> {
    await this.documents.open().catch(this.failed);
  }

  showEarlier(): void {
    this.shown += PAGE_SIZE;
    this.watchMessages();
  }

  type(draft: string): void {
    this.store.set({ draft });
    if (this.wantsReply) this.waitForPause();
  }

  async send(): Promise<void> {
    const { state } = this.store;
    if (!canSend(state)) return;
    const text = sayable(state.draft);
    const image = state.attachment === null ? null : await this.album?.upload();
    if (this.closed || image === undefined) return;
    toEnd();
    this.store.set({ draft: "", replyFailure: null });
    this.wantsReply = true;
    this.waitForPause();
    this.documents.send("user", text, image).catch(this.failed);
  }

  /** Asks again with the same id, which never answers twice, or anew. */
  async ask(again: "same" | "new" = "new"): Promise<void> {
    if (this.store.state.asking) return;
    this.wantsReply = false;
    if (again === "new" || this.requestId === "") this.requestId = crypto.randomUUID();
    this.known = new Set(this.store.state.chat.messages.map((one) => one.id));
    this.store.set({ asking: true, arriving: [], replyFailure: null });
    try {
      const request = { soul_id: this.soulId, request_id: this.requestId };
      await generateReply(this.functions, request, (bubble) => {
        const { arriving } = this.store.state;
        if (arriving !== null) this.store.set({ arriving: [...arriving, bubble] });
      });
    } catch (error) {
      if (!this.closed) this.store.set({ replyFailure: kindOf(error) });
    } finally {
      if (!this.closed) this.store.set({ asking: false, arriving: null });
      this.refresh();
    }
  }

  /** Sends the demo's chat as an app would, never far ahead of what is counted. */
  async replay(): Promise<void> {
    if (this.replaying) return;
    this.replaying = true;
    const messages = await demoChat();
    for (const [done, { role, text }] of messages.entries()) {
      while (this.replaying && this.uncounted() > MOST_UNCOUNTED) await this.nextChange();
      if (!this.replaying) break;
      this.store.set({ replay: { done, total: messages.length } });
      await this.documents.send(role, text);
    }
    this.replaying = false;
    if (!this.closed) this.store.set({ replay: null });
  }

  stopReplay(): void {
    this.replaying = false;
    this.changed();
  }

  /** The connection is back: what waited for it goes on. */
  resume(): void {
    if (this.wantsReply) this.waitForPause();
  }

  private watchMessages(): void {
    this.stopMessages();
    this.stopMessages = this.documents.watchMessages(
      this.shown,
      (chat) => {
        const hasNew = chat.messages.some((one) => one.role === "soul" && !this.known.has(one.id));
        this.store.set(hasNew ? { chat, arriving: null } : { chat });
        this.album?.show(chat.messages.flatMap((one) => one.image ?? []));
        this.changed();
        this.refresh();
      },
      this.failed,
    );
  }

  private waitForPause(): void {
    window.clearTimeout(this.pause);
    this.pause = window.setTimeout(() => {
      const { online, chat } = this.store.state;
      const isSent = chat.messages.every((one) => !one.unsent);
      if (!this.wantsReply) return;
      if (online && isSent) void this.ask();
      else this.waitForPause();
    }, PAUSE_MS);
  }

  private uncounted(): number {
    return this.store.state.chat.messages.filter((one) => !one.counted).length;
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.changed = resolve));
  }

  private readonly failed = (error: Error) => {
    if (!this.closed) this.store.set({ problem: error.message });
  };
}
