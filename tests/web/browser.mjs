// A real browser, as a process: Chromium driven by Playwright.
//
//   node browser.mjs /path/to/chromium PORT
//
// One JSON command a line on stdin, {"id", "command", …}; one JSON line each on stdout,
// {"id", "ok"} or {"id", "error": {"code", "message"}}. tests/web/browser.py speaks to it.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , executablePath, port] = process.argv;
const packages = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = packages("playwright-core");
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
args.push(`--remote-debugging-port=${port}`); // where Lighthouse looks at the same page
const browser = await chromium.launch({ executablePath, args });
const context = await browser.newContext({
  locale: "ko-KR",
  timezoneId: "Asia/Seoul",
  viewport: { width: 1440, height: 900 },
});
const page = await context.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));

const commands = {
  goto: ({ url }) => page.goto(url),
  reload: () => page.reload(),
  size: ({ width, height }) => page.setViewportSize({ width, height }),
  click: ({ selector, timeout }) => page.locator(selector).first().click({ timeout }),
  fill: ({ selector, text, timeout }) => page.locator(selector).fill(text, { timeout }),
  attach: ({ selector, path, timeout }) => page.locator(selector).setInputFiles(path, { timeout }),
  press: ({ key }) => page.keyboard.press(key),
  wait: ({ selector, timeout }) => page.locator(selector).first().waitFor({ timeout }),
  gone: ({ selector, timeout }) =>
    page.locator(selector).first().waitFor({ state: "detached", timeout }),
  count: ({ selector }) => page.locator(selector).count(),
  texts: ({ selector }) => page.locator(selector).allInnerTexts(),
  attribute: ({ selector, name }) => page.locator(selector).first().getAttribute(name),
  evaluate: ({ script }) => page.evaluate(script),
  offline: ({ offline }) => context.setOffline(offline),
  screenshot: ({ path }) => page.screenshot({ path }),
  errors: () => errors,

  // Lighthouse's accessibility score of the page as it stands, and what it found wrong.
  async accessibility() {
    const { snapshot } = await import(pathToFileURL(packages.resolve("lighthouse")));
    const browserURL = `http://127.0.0.1:${port}`;
    const other = await packages("puppeteer-core").connect({ browserURL, defaultViewport: null });
    try {
      const same = (await other.pages()).find((one) => one.url() === page.url());
      const settings = {
        onlyCategories: ["accessibility"],
        formFactor: "desktop",
        screenEmulation: { disabled: true },
      };
      const { lhr } = await snapshot(same, { config: { extends: "lighthouse:default", settings } });
      const wrong = Object.values(lhr.audits).filter((audit) => audit.score === 0);
      return [
        Math.round(100 * lhr.categories.accessibility.score),
        ...wrong.map((audit) => `${audit.id}: ${audit.title}`),
      ];
    } finally {
      await other.disconnect();
    }
  },
};

function answer(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function run({ id, command, ...given }) {
  try {
    const ok = await commands[command](given);
    answer({ id, ok: ["string", "number", "object", "boolean"].includes(typeof ok) && plain(ok) });
  } catch (error) {
    answer({ id, error: { code: error.name, message: String(error.message) } });
  }
}

// What Playwright answers of its own, a response say, is of no use to the caller.
function plain(value) {
  return value === null || typeof value !== "object" || Array.isArray(value) ? value : null;
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void run(JSON.parse(line)));
lines.on("close", () => void browser.close().then(() => process.exit(0)));
answer({ id: 0, ok: "ready" });
