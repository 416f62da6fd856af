"""Sentences of the input made fit for a document: one line, no delimiters, whole characters."""

import re
import unicodedata
from collections.abc import Iterable

from shared.safety.fencing import one_line
from shared.text import cut_text

USER = "{user}"

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_RUNS = (
    (re.compile(r"={2,}"), "="),
    (re.compile(r"#{2,}"), "#"),
    (re.compile(r"~{3,}"), "~~"),
)
_MARKER = re.compile(r"^(?:[#>*+=|-]+\s+|[#=|]+)+")
_HEADINGS = re.compile(
    r"(?:recent context|long-term memory|soul persona|relational|user persona|profile"
    r"|how soul sees|default|memory|lorebook)\b.*",
    re.IGNORECASE,
)
_LATIN_FINAL = re.compile(r"(?:[bcklmnpt]|ng)$", re.IGNORECASE)
_DIGITS_WITH_FINAL = "013678"


def is_korean(texts: Iterable[str]) -> bool:
    """Whether the texts are for the most part Hangul; what has no letters counts as Korean."""
    hangul = latin = 0
    for text in texts:
        hangul += len(re.findall(r"[가-힣ㄱ-ㅣᄀ-ᇿ]", text))
        latin += len(re.findall(r"[A-Za-z]", text))
    return hangul * 3 >= latin


def harmless(text: str) -> str:
    """`text` on one line, without what a reader of the document takes for a delimiter."""
    composed = unicodedata.normalize("NFC", text)
    # Most text holds nothing but what prints, and there this is the same, sooner.
    flat = " ".join(composed.split()) if composed.isprintable() else one_line(composed)
    for run, shorter in _RUNS:
        flat = run.sub(shorter, flat)
    return flat.replace("`", "'")


def trimmed(text: str, limit: int) -> str:
    """`text` within `limit` characters, cut between words where one ends late enough."""
    if len(text) <= limit:
        return text
    cut = cut_text(text, limit - 1)
    space = cut.rfind(" ")
    return f"{(cut[:space] if space >= limit // 2 else cut).rstrip()}…"


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each harmless; empty ones left out."""
    parts = (harmless(part) for part in _SENTENCE_END.split(text))
    return [part for part in parts if part]


def first_sentences(text: str, limit: int) -> str:
    """As many whole sentences from the start as fit; at least the first, trimmed."""
    taken = ""
    for sentence in sentences(text):
        longer = f"{taken} {sentence}".strip()
        if taken and len(longer) > limit:
            break
        taken = longer
    return trimmed(taken, limit)


def said(speaker: str, text: str, limit: int, *, korean: bool) -> str:
    """Who said what, quoted: `{user}가 "…"라고 말했다.`"""
    name = trimmed(harmless(speaker), 40) or "?"
    quote = quotation(text, limit)
    if korean:
        return f'{name}{subject_particle(name)} "{quote}"라고 말했다.'
    return f'{name} said, "{quote}"' + ("" if quote.endswith((".", "!", "?", "…")) else ".")


def quotation(text: str, limit: int) -> str:
    """`text` as it stands between quotation marks; its own become single ones."""
    return trimmed(harmless(text).replace('"', "'"), limit)


def sourced(bullet: str, source: str) -> str:
    """A bullet and the id of what it was taken from, where that is known."""
    return f"{bullet} ({source})" if source else bullet


def label(text: str, limit: int) -> str:
    """`text` as a title: no marks at either end, no brackets or slashes that part a bullet.

    Empty when nothing is left, or what is left could pass for a heading of the document.
    """
    flat = _MARKER.sub("", harmless(text).translate(str.maketrans('"[]', "'()")))
    flat = re.sub(r"\s*/\s*", "·", flat)
    if len(flat) > limit:
        flat = trimmed(flat, limit + 1).removesuffix("…")
    flat = flat.strip(" .,!?…~·:;-'")
    return "" if _HEADINGS.fullmatch(flat) else flat


def subject_particle(name: str) -> str:
    """이 after a final consonant, else 가. The user is read as 유저."""
    last = next((char for char in reversed(name) if char.isalnum()), "")
    if "가" <= last <= "힣":
        return "이" if (ord(last) - ord("가")) % 28 else "가"
    if name == USER or not last:
        return "가"
    ends_in_consonant = last in _DIGITS_WITH_FINAL or _LATIN_FINAL.search(name.rstrip("}"))
    return "이" if ends_in_consonant else "가"
