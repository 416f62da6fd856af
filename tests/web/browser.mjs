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
// How long each command may take is the caller's to say.
const browser = await chromium.launch({ executablePath, args, timeout: 0 });
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
  size: ({ width, height }) => page.setViewportSize({ width, height }),
  click: ({ selector }) => page.locator(selector).first().click(),
  fill: ({ selector, text }) => page.locator(selector).fill(text),
  attach: ({ selector, path }) => page.locator(selector).setInputFiles(path),
  press: ({ key }) => page.keyboard.press(key),
  wait: ({ selector }) => page.locator(selector).first().waitFor(),
  gone: ({ selector }) => page.locator(selector).first().waitFor({ state: "detached" }),
  count: ({ selector }) => page.locator(selector).count(),
  texts: ({ selector }) => page.locator(selector).allInnerTexts(),
  attribute: ({ selector, name }) => page.locator(selector).first().getAttribute(name),
  evaluate: ({ script }) => page.evaluate(script),
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

async function run({ id, command, timeout, ...given }) {
  page.setDefaultTimeout(timeout);
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
