// Looks at what the Soul knows, when something is told to have changed and while a cycle moves.

import type { Functions } from "firebase/functions";
import { inspectThread } from "./calls";
import { FIRST_MS, hasWorked, nextWait } from "./pace";
import { marksArrived } from "./studio";
import type { Store } from "./state";

const SOON_MS = 500;

export class Inspector {
  private timer = 0;
  private due = 0;
  private looked = 0;
  private wait = FIRST_MS;
  private isTold = false;
  private running = false;
  private closed = false;

  constructor(
    private readonly store: Store,
    private readonly functions: Functions,
    private readonly uid: string,
    private readonly soulId: string,
  ) {}

  /** Something has changed: look in a moment. */
  readonly soon = (): void => {
    this.isTold = true;
    this.after(Math.max(SOON_MS, this.looked + FIRST_MS - Date.now()));
  };

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
    if (isIdle) return this.after(FIRST_MS);
    this.running = true;
    this.looked = Date.now();
    const isTold = this.isTold;
    this.isTold = false;
    const hasMoved = (await this.see()) || isTold;
    this.running = false;
    this.wait = nextWait(this.wait, hasMoved, store.state.inspection);
    this.after(this.wait);
  }

  /** Whether memory's work has moved since the last look. */
  private async see(): Promise<boolean> {
    const { store } = this;
    const before = store.state.inspection;
    try {
      const request = { uid: this.uid, soul_id: this.soulId };
      const inspection = await inspectThread(this.functions, request);
      if (!this.closed) {
        store.set(marksArrived({ ...store.state, inspection, inspectionProblem: null }));
      }
      return hasWorked(before, inspection);
    } catch (error) {
      // What was seen last stays; why it is not newer stands above it.
      if (!this.closed) store.set({ inspectionProblem: (error as Error).message });
      return false;
    }
  }
}
