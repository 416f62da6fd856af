// Times as a reader of either language writes them, in the reader's own time zone.

import type { Language } from "./text";

const LOCALES: Record<Language, string> = { ko: "ko-KR", en: "en-GB" };

export function timeOf(at: Date, language: Language): string {
  return at.toLocaleTimeString(LOCALES[language], { hour: "numeric", minute: "2-digit" });
}

export function dayOf(at: Date, language: Language): string {
  return at.toLocaleDateString(LOCALES[language], {
    year: "numeric",
    month: "long",
    day: "numeric",
    weekday: "long",
  });
}

export function momentOf(iso: string, language: Language): string {
  return new Date(iso).toLocaleString(LOCALES[language], {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  });
}

export function numberOf(value: number, language: Language): string {
  return value.toLocaleString(LOCALES[language]);
}
