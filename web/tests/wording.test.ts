import { expect, test } from "vitest";
import { sayable } from "../src/wording";

test.each([
  ["앞뒤 빈칸은 뗀다", " 필름 찾았어요\n", "필름 찾았어요"],
  ["줄바꿈은 남는다", "첫 줄\n둘째 줄", "첫 줄\n둘째 줄"],
  ["풀어 쓴 자모는 그대로 보낸다", "현상소".normalize("NFD"), "현상소".normalize("NFD")],
  ["이모지는 말이다", "❤️", "❤️"],
  ["이어 붙인 이모지도 말이다", "👨‍👩‍👧", "👨‍👩‍👧"],
  ["홀로 선 자모도 말이다", "ㅋ", "ㅋ"],
  ["한글 채움 문자는 말이 아니다", "\u3164\u115F\u1160\uFFA0", ""],
  ["보이지 않는 문자는 말이 아니다", "\u200B\u2800\uFE0F", ""],
  ["전각 빈칸은 말이 아니다", "\u3000\t", ""],
])("%s", (_, draft, sent) => {
  expect(sayable(draft)).toBe(sent);
});
