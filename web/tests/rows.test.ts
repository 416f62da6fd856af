import { expect, test } from "vitest";
import { rowsOf } from "../src/rows";
import { momentOf, numberOf } from "../src/times";
import type { Language } from "../src/text";
import { message } from "./examples";

function told(language: Language, ...sent: ["user" | "soul", string][]): (string | null)[][] {
  const messages = sent.map(([role, at]) => message({ role, at: new Date(at) }));
  return rowsOf(messages, language).map(({ day, time }) => [day, time]);
}

test("날짜 줄은 한국 시각의 자정에서 바뀐다", () => {
  const rows = told("ko", ["user", "2026-05-27T14:59:59Z"], ["user", "2026-05-27T15:00:00Z"]);
  expect(rows).toEqual([
    ["2026년 5월 27일 수요일", "오후 11:59"],
    ["2026년 5월 28일 목요일", "오전 12:00"],
  ]);
});

test("정오부터 오후다", () => {
  const rows = told("ko", ["user", "2026-05-28T02:59:00Z"], ["user", "2026-05-28T03:00:00Z"]);
  expect(rows.map(([, time]) => time)).toEqual(["오전 11:59", "오후 12:00"]);
});

test("세계시의 자정은 날짜 줄을 만들지 않는다", () => {
  const rows = told("ko", ["user", "2026-05-27T23:59:00Z"], ["soul", "2026-05-28T00:01:00Z"]);
  expect(rows.map(([day]) => day)).toEqual(["2026년 5월 28일 목요일", null]);
});

test("같은 날 다른 해에도 날짜 줄이 선다", () => {
  const rows = told("ko", ["user", "2025-05-28T03:00:00Z"], ["user", "2026-05-28T03:00:00Z"]);
  expect(rows.map(([day]) => day)).toEqual(["2025년 5월 28일 수요일", "2026년 5월 28일 목요일"]);
});

test("한 사람이 같은 분에 보낸 말은 마지막에만 시각이 붙는다", () => {
  const rows = told(
    "ko",
    ["user", "2026-05-28T05:00:01Z"],
    ["user", "2026-05-28T05:00:59Z"],
    ["soul", "2026-05-28T05:00:59Z"],
    ["soul", "2026-05-28T05:01:00Z"],
  );
  expect(rows.map(([, time]) => time)).toEqual([null, "오후 2:00", "오후 2:00", "오후 2:01"]);
});

test("영어로는 영어로 쓴다", () => {
  expect(told("en", ["user", "2026-05-28T05:00:00Z"])).toEqual([
    [expect.stringMatching(/^Thursday,? 28 May 2026$/), "14:00"],
  ]);
  expect(numberOf(10_000, "ko")).toBe("10,000");
  expect(momentOf("2026-05-28T05:00:07Z", "ko")).toBe("5월 28일 오후 2:00:07");
});

test("말이 없으면 줄도 없다", () => {
  expect(told("ko")).toEqual([]);
});
