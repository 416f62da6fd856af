import { expect, test } from "vitest";
import { canSend, isTyping, Store } from "../src/state";
import type { Attachment, State } from "../src/state";
import { state } from "./examples";

const NOW = new Date("2026-05-28T14:14:00Z");
const LATER = new Date("2026-05-28T14:15:00Z");

test("한꺼번에 바꾼 것은 한 번만 그린다", async () => {
  const drawn: State[] = [];
  const store = new Store(state(), (now) => drawn.push(now));
  store.set({ draft: "필" });
  store.set({ draft: "필름", online: false });
  expect(store.state.draft).toBe("필름");
  expect(drawn).toEqual([]);
  await Promise.resolve();
  expect(drawn.map(({ draft, online }) => [draft, online])).toEqual([["필름", false]]);
});

test("그린 뒤에 바꾼 것은 다시 그린다", async () => {
  const drawn: string[] = [];
  const store = new Store(state(), ({ draft }) => drawn.push(draft));
  store.set({ draft: "가" });
  await Promise.resolve();
  store.set({ draft: "나" });
  await Promise.resolve();
  expect(drawn).toEqual(["가", "나"]);
});

test.each([
  ["쓰는 중이면 입력 중이다", { writing: { status: "writing", expiresAt: LATER } }, true],
  ["기한이 지났으면 아니다", { writing: { status: "writing", expiresAt: NOW } }, false],
  ["다 썼으면 아니다", { writing: { status: "done", expiresAt: LATER } }, false],
  ["말풍선이 오고 있으면 입력 중이다", { arriving: [] }, true],
  ["아무도 쓰지 않으면 아니다", {}, false],
] as [string, Partial<State>, boolean][])("%s", (_, change, typing) => {
  expect(isTyping(state(change), NOW)).toBe(typing);
});

const PHOTO: Attachment = { file: new File(["x"], "강변.png"), url: "", status: "ready", sent: 0 };

test.each([
  ["말이 있으면 보낸다", { draft: "필름" }, true],
  ["빈칸뿐이면 보내지 않는다", { draft: " \n" }, false],
  ["사진이 있으면 말이 없어도 보낸다", { attachment: PHOTO }, true],
  ["못 올린 사진은 다시 보낸다", { attachment: { ...PHOTO, status: "failed" } }, true],
  ["올리는 중에는 보내지 않는다", { draft: "필름", attachment: { ...PHOTO, status: "uploading" } }, false],
] as [string, Partial<State>, boolean][])("%s", (_, change, can) => {
  expect(canSend(state(change))).toBe(can);
});
