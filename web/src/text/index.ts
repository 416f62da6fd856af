// Which language the page speaks.

import { en } from "./en";
import { ko } from "./ko";
import type { Text } from "./ko";

export type { Text };
export type Language = "ko" | "en";
export const LANGUAGES: Record<Language, string> = { ko: "한국어", en: "English" };

const TEXTS: Record<Language, Text> = { ko, en };
const KEPT = "soul-memory-language";

export function textOf(language: Language): Text {
  return TEXTS[language];
}

export function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === "ko" || kept === "en") return kept;
  return navigator.language.startsWith("ko") ? "ko" : "en";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
}
