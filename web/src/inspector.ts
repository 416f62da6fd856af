// Looks at what the Soul knows, again and again, often while something moves.

import type { Functions } from "firebase/functions";
import { inspectThread } from "./calls";
import { marksArrived } from "./studio";
import type { State, Store } from "./state";

const SOON_MS = 500;
const GAP_MS = 1_500; // of the calls a minute that one user has, some are for replies
const BUSY_MS = 2_000;
const QUIET_MS = 10_000;
const AT_WORK = new Set(["queued", "claimed", "generated", "waiting"]);

export class Inspector {
  private timer = 0;
  private due = 0;
  private looked = 0;
  private running = false;
  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly functions: Functions,
    private readonly uid: string,
    private readonly soulId: string,
  ) {}

  /** Something has changed: look in a moment. */
  readonly soon = (): void =>
    this.after(Math.max(SOON_MS, this.looked + GAP_MS - Date.now()));

  close(): void {
    this.closed = true;
    window.clearTimeout(this.timer);
  }

  private after(wait: number): void {
    const due = Date.now() + wait;
    if (this.closed || (this.timer !== 0 && this.due <= due)) return;
    window.clearTimeout(this.timer);
    this.due = due;
    this.timer = window.setTimeout(() => void this.look(), wait);
  }

  private async look(): Promise<void> {
    this.timer = 0;
    const { store } = this;
    if (this.running) return this.after(SOON_MS);
    const isIdle = store.state.memoryStatus === null || !store.state.online || document.hidden;
    if (isIdle) return this.after(BUSY_MS);
    this.running = true;
    this.looked = Date.now();
    try {
      const request = { uid: this.uid, soul_id: this.soulId };
      const inspection = await inspectThread(this.functions, request);
      if (!this.closed) {
        store.set(marksArrived({ ...store.state, inspection, inspectionProblem: null }));
      }
    } catch (error) {
      // What was seen last stays; why it is not newer stands above it.
      if (!this.closed) store.set({ inspectionProblem: (error as Error).message });
    } finally {
      this.running = false;
      this.after(isBusy(store.state) ? BUSY_MS : QUIET_MS);
    }
  }
}

export function isAtWork(state: State): boolean {
  return state.inspection?.cycles.some((one) => AT_WORK.has(one.status)) ?? false;
}

function isBusy(state: State): boolean {
  const isCounting = state.chat.messages.some((one) => !one.counted);
  const isSeeding = state.memoryStatus === "pending" || state.memoryStatus === "seeding";
  return isCounting || isSeeding || isAtWork(state) || state.director.arrived === "waiting";
}
