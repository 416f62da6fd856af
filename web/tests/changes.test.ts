import { expect, test } from "vitest";
import { changes } from "../src/changes";

const SIGNS = { same: " ", added: "+", removed: "-" };

function told(before: string, after: string): string[] {
  return changes(before, after).map(({ change, text }) => SIGNS[change] + text);
}

test.each([
  ["처음 쓴 것은 모두 더한 것이다", "", "- 소희\n- 필름", ["+- 소희", "+- 필름"]],
  ["비운 것은 모두 지운 것이다", "- 소희", "", ["-- 소희"]],
  ["그대로인 줄은 남는다", "- 가\n- 나\n- 다", "- 가\n- 라\n- 다", [" - 가", "-- 나", "+- 라", " - 다"]],
  ["옮긴 줄은 한 번만 바뀐다", "가\n나\n다", "나\n다\n가", ["-가", " 나", " 다", "+가"]],
  ["같은 줄이 또 있어도 센다", "가\n가", "가", [" 가", "-가"]],
  ["빈 줄도 줄이다", "가\n\n나", "가\n나", [" 가", "-", " 나"]],
  ["이모지 한 글자 차이도 차이다", "좋아 👍", "좋아 👍🏽", ["-좋아 👍", "+좋아 👍🏽"]],
  ["아무것도 없으면 아무것도 없다", "", "", []],
])("%s", (_, before, after, lines) => {
  expect(told(before, after)).toEqual(lines);
});

test("자모로 풀어 쓴 줄은 같은 줄이다", () => {
  expect(told("현상소".normalize("NFD"), "현상소".normalize("NFC"))).toEqual([" 현상소"]);
});
