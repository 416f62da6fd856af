import { expect, test } from "vitest";
import { FIRST_MS, hasWorked, isAtWork, nextWait } from "../src/pace";
import { cycle, inspection } from "./examples";

function waits(status: string, looks: number): number[] {
  const seen = inspection({ cycles: [cycle(status)] });
  let wait = nextWait(0, true, seen);
  return Array.from({ length: looks }, () => {
    const now = wait;
    wait = nextWait(wait, false, seen);
    return now;
  });
}

test("조용하면 점점 드물게 본다", () => {
  expect(waits("applied", 7)).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("사이클이 움직이는 동안은 자주 본다", () => {
  expect(waits("claimed", 4)).toEqual([2_000, 4_000, 4_000, 4_000]);
});

test("오래 기다리는 사이클은 드물게 본다", () => {
  expect(waits("waiting", 7).at(-1)).toBe(60_000);
});

test("무엇이 움직였으면 곧 다시 본다", () => {
  expect(nextWait(60_000, true, null)).toBe(FIRST_MS);
});

test.each([
  ["처음 본 것은 움직인 것이다", null, inspection(), true],
  ["같으면 아니다", inspection({ cycles: [cycle("queued")] }), inspection({ cycles: [cycle("queued")] }), false],
  ["상태가 바뀌면 움직인 것이다", inspection({ cycles: [cycle("queued")] }), inspection({ cycles: [cycle("claimed")] }), true],
  ["다시 시도하면 움직인 것이다", inspection({ cycles: [cycle("claimed")] }), inspection({ cycles: [cycle("claimed", { attempts: 2 })] }), true],
])("%s", (_, before, after, moved) => {
  expect(hasWorked(before, after)).toBe(moved);
});

test.each([
  ["queued", true],
  ["waiting", true],
  ["applied", false],
  ["blocked", false],
])("%s: %s", (status, working) => {
  expect(isAtWork(inspection({ cycles: [cycle(status)] }))).toBe(working);
  expect(isAtWork(null)).toBe(false);
});
