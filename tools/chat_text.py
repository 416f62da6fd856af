"""Makes the text of a recorded message one that could have been sent. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from shared.text import cut_text

MOST_UNITS = 4_000
# What a font draws as nothing, beside separators, controls and formats: as in firestore.rules.
_DRAWN_AS_NOTHING = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0") | {
    chr(code) for code in range(0xFE00, 0xFE10)
}


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing; the rules take no such message."""
    return all(
        char in _DRAWN_AS_NOTHING or unicodedata.category(char)[0] == "Z" or _is_unseen(char)
        for char in text
    )


def _is_unseen(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf"}


def without_surrogates(text: str) -> str:
    """Put U+FFFD for each half of a broken pair, which no database stores."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def units(text: str) -> int:
    """Count UTF-16 units, as the rules do."""
    return len(text.encode("utf-16-le")) // 2


def pieces(text: str, most: int = MOST_UNITS) -> Iterator[str]:
    """Cut a text into pieces of at most `most` UTF-16 units, never inside a character."""
    while units(text) > most:
        fitting = _characters_within(text, most)
        piece = cut_text(text, fitting) or text[:fitting]
        yield piece
        text = text[len(piece) :]
    if text:
        yield text


def _characters_within(text: str, most: int) -> int:
    """How many code points from the start fit into `most` UTF-16 units."""
    used = 0
    for index, char in enumerate(text):
        used += 2 if ord(char) > 0xFFFF else 1
        if used > most:
            return index
    return len(text)
