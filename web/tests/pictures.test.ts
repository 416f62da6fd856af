import { expect, test } from "vitest";
import rules from "../../storage.rules?raw";
import { MOST_BYTES, PICTURE_TYPES, problemOf, typeOf } from "../src/pictures";

test("보낼 수 있는 것은 규칙이 들이는 것과 같다", () => {
  const [, types] = /contentType in \[(.*)\]/.exec(rules) ?? [];
  const [, megabytes] = /size <= (\d+) \* 1024 \* 1024/.exec(rules) ?? [];
  expect(types).toBe(PICTURE_TYPES.map((type) => `'${type}'`).join(", "));
  expect(Number(megabytes) * 1024 * 1024).toBe(MOST_BYTES);
});

test.each([
  ["사진은 보낸다", { name: "강변.png", type: "image/png", size: 1 }, null],
  ["꼭 5MB까지 보낸다", { name: "강변.jpg", type: "image/jpeg", size: MOST_BYTES }, null],
  ["더 크면 보내지 않는다", { name: "강변.jpg", type: "image/jpeg", size: MOST_BYTES + 1 }, "size"],
  ["빈 파일은 보내지 않는다", { name: "강변.jpg", type: "image/jpeg", size: 0 }, "size"],
  ["움직이는 그림은 보내지 않는다", { name: "강변.gif", type: "image/gif", size: 1 }, "type"],
  ["이름만 사진이면 보내지 않는다", { name: "강변.png", type: "text/plain", size: 1 }, "type"],
])("%s", (_, file, problem) => {
  expect(problemOf(file)).toBe(problem);
});

test("브라우저가 모르는 HEIC도 보낸다", () => {
  expect(typeOf({ name: "IMG_0001.HEIC", type: "", size: 1 })).toBe("image/heic");
});
