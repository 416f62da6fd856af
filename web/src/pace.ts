// What memory is at, and how long until the page looks again. Watches tell of messages and of the thread's
// status; that a cycle has moved is seen by looking alone.

import type { Inspection } from "./types";

export const FIRST_MS = 2_000; // of the calls a minute that one user has, some are for replies
const MOST_MOVING_MS = 4_000;
const MOST_MS = 60_000;
const MOVING = new Set(["queued", "claimed", "generated"]);

/** Soon while something moves; later and later while nothing does. */
export function nextWait(wait: number, hasMoved: boolean, seen: Inspection | null): number {
  const isMoving = seen?.cycles.some((one) => MOVING.has(one.status)) ?? false;
  return hasMoved ? FIRST_MS : Math.min(2 * wait, isMoving ? MOST_MOVING_MS : MOST_MS);
}

/** Whether a cycle has been begun and not ended. */
export function isAtWork(seen: Inspection | null): boolean {
  return seen?.cycles.some(({ status }) => status === "waiting" || MOVING.has(status)) ?? false;
}

/** Whether memory's work is at another point than before. */
export function hasWorked(before: Inspection | null, after: Inspection | null): boolean {
  return pointOf(before) !== pointOf(after);
}

function pointOf(seen: Inspection | null): string {
  return JSON.stringify(seen?.cycles.map((one) => [one.cycle_id, one.status, one.attempts]));
}
