"""Texts made comparable: whether words stand in a text, and how alike two texts are."""

import re
import unicodedata
from collections.abc import Sequence

_GAP = re.compile(r"\[REDACTED\]|…|\.{2,}", re.IGNORECASE)
_KEPT = frozenset("LNM")


def comparable(text: str) -> str:
    """`text` in one form, width and case, without spaces, invisible characters and punctuation.

    Emoji stay. `[REDACTED]` is gone, since it may stand for anything.

    >>> comparable("“우리 ＴＶ\\u200b 보자!”")
    '우리tv보자'
    """
    folded = unicodedata.normalize("NFKC", _GAP.sub(" ", text)).casefold()
    return "".join(char for char in unicodedata.normalize("NFC", folded) if _is_kept(char))


def _is_kept(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind[0] in _KEPT or kind == "So"


def pieces(quote: str) -> list[str]:
    """The comparable parts of a quote between ellipses and `[REDACTED]`; none of mere marks."""
    return [part for part in map(comparable, _GAP.split(quote)) if part]


def stand_in(parts: Sequence[str], text: str) -> bool:
    """Whether `parts` stand in the comparable `text`, one after the other."""
    position = 0
    for part in parts:
        position = text.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return True


def likeness(one: str, other: str) -> float:
    """The share of syllable pairs in common, of the shorter text: 0 to 1."""
    return _share(comparable(one), comparable(other))


def _share(one: str, other: str) -> float:
    first, second = _pairs(one), _pairs(other)
    if not first or not second:
        return 0.0
    return len(first & second) / min(len(first), len(second))


def _pairs(text: str) -> set[str]:
    return {text[index : index + 2] for index in range(len(text) - 1)}
