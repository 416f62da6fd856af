import { defineConfig } from "vitest/config";

export default defineConfig({
  build: { target: "es2022", chunkSizeWarningLimit: 1000, reportCompressedSize: true },
  // The time zone of the page's readers: a day begins nine hours before that of UTC.
  test: { include: ["tests/**/*.test.ts"], env: { TZ: "Asia/Seoul" } },
});
