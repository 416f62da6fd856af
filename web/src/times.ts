// Times as a reader of either language writes them, in the reader's own time zone.

import type { Language } from "./text";

const LOCALES: Record<Language, string> = { ko: "ko-KR", en: "en-GB" };
const STYLES = {
  time: { hour: "numeric", minute: "2-digit" },
  day: { year: "numeric", month: "long", day: "numeric", weekday: "long" },
  moment: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;
const made = new Map<string, Intl.DateTimeFormat>(); // making one takes longer than using it

export function timeOf(at: Date, language: Language): string {
  return written(at, language, "time");
}

export function dayOf(at: Date, language: Language): string {
  return written(at, language, "day");
}

export function momentOf(iso: string, language: Language): string {
  return written(new Date(iso), language, "moment");
}

export function numberOf(value: number, language: Language): string {
  return value.toLocaleString(LOCALES[language]);
}

/** As the browser has it, but for AM and PM, which newer ones write in Korean too. */
function written(at: Date, language: Language, style: keyof typeof STYLES): string {
  const half = at.getHours() < 12 ? "오전" : "오후";
  return formatOf(language, style)
    .formatToParts(at)
    .map(({ type, value }) => (type === "dayPeriod" && language === "ko" ? half : value))
    .join("");
}

function formatOf(language: Language, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${language} ${style}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(LOCALES[language], STYLES[style]);
  made.set(key, format);
  return format;
}
