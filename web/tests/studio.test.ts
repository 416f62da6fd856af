import { expect, test } from "vitest";
import { NO_DIRECTOR } from "../src/state";
import { changedLines, marksArrived } from "../src/studio";
import type { Inspection, Studio } from "../src/types";
import { inspection, prompt, state, studio } from "./examples";

const LINE = "- 창가 화분에 물을 준다.";

function arrived(marks: string[], seen: Inspection | null, saved: Studio = studio()): string {
  const director = { ...NO_DIRECTOR, saved, marks, arrived: "waiting" as const };
  return marksArrived(state({ director, inspection: seen })).director.arrived;
}

function sent(text: string, change: Partial<Inspection> = {}): Inspection {
  return inspection({ prompt: prompt({ system_instruction: text }), ...change });
}

test("바뀐 줄만 찾는다", () => {
  const [before, after] = [studio({ persona: "가\n나" }), studio({ persona: "나\n\n  다  " })];
  expect(changedLines(before, after)).toEqual(["다"]);
});

test("자모만 다르게 적은 줄은 바뀐 줄이 아니다", () => {
  const persona = "현상소";
  expect(changedLines(studio({ persona }), studio({ persona: persona.normalize("NFD") }))).toEqual([]);
});

test("프롬프트에 있으면 들어간 것이다", () => {
  expect(arrived([LINE], sent(`앞\n${LINE}\n뒤`))).toBe("yes");
  expect(arrived([LINE], sent(LINE.normalize("NFD")))).toBe("yes");
});

test("한 줄이라도 없으면 기다린다", () => {
  expect(arrived([LINE, "- 없는 줄"], sent(LINE))).toBe("waiting");
  expect(arrived([LINE], inspection({ prompt: null }))).toBe("waiting");
  expect(arrived([LINE], null)).toBe("waiting");
});

test("대화에 실린 줄도, 사진 곁에서도 찾는다", () => {
  const file = { file_data: { file_uri: "gs://a/b.png", mime_type: "image/png" } };
  const contents = [{ role: "user" as const, parts: [file, { text: LINE }] }];
  expect(arrived([LINE], inspection({ prompt: prompt({ contents }) }))).toBe("yes");
});

test("최근 맥락이 있으면 첫 상황은 찾지 않는다", () => {
  const saved = studio({ situation: LINE });
  const slot = { content: "- 안부를 물었다.", version: 1, cycle_id: "000001" };
  expect(arrived([LINE], sent(""), saved)).toBe("waiting");
  expect(arrived([LINE], sent("", { slots: { recent_context: { slot } } }), saved)).toBe("yes");
});
