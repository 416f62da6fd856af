"""The form of a text that secrets are looked for in, with the way back to the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category, digit, normalize

from shared.safety.redaction_spans import MASK, pattern

# The fast path: nothing in these ranges changes, and they are most of a Korean chat.
_PLAIN = r"\n -~가-힣ㄱ-ㅎㅏ-ㅣ"
_NEEDS_FOLDING = f"[^{_PLAIN}]"
_SYLLABLE = r"[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
_PIECE = rf"([{_PLAIN}]+)|{_SYLLABLE}|((?:(?!{_SYLLABLE})[^{_PLAIN}])+)"
_FILLERS = "\u115f\u1160\u3164\uffa0"
_LOOKALIKES = {
    **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－ー─━⸺⸻", "-"),
    **dict.fromkeys("·‧・･•∙⋅ㆍᆞ", "·"),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("∗⁎✱＊﹡", "*"),
    **dict.fromkeys("\v\f\x85\u2028\u2029", "\n"),
    "〇": "0",
    "∶": ":",
    "→": ">",
    "⇒": ">",
    MASK: "\ufffd",
}


@dataclass(frozen=True, slots=True)
class MatchingForm:
    """`text[i]` comes from the input's [starts[i], ends[i])."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def matching_form(text: str) -> MatchingForm:
    """Fold `text` for matching: compatibility forms (NFKC), digits of every script, dashes and
    spaces become plain; invisible characters and combining marks go; decomposed Hangul is
    composed. Linear in the length."""
    if not pattern(_NEEDS_FOLDING).search(text):
        return MatchingForm(text, range(len(text)), range(1, len(text) + 1))
    form = _Growing()
    for piece in pattern(_PIECE).finditer(text):
        start, end = piece.span()
        if piece[1]:
            form.folded.append(piece[1])
            form.starts.extend(range(start, end))
            form.ends.extend(range(start + 1, end + 1))
        elif piece[2]:
            for place, char in enumerate(piece[2], start):
                form.add(_fold(char), place, place + 1)
        else:
            form.add(_fold(piece[0]), start, end)
    return MatchingForm("".join(form.folded), form.starts, form.ends)


class _Growing:
    """A form while it is made."""

    __slots__ = ("ends", "folded", "starts")

    def __init__(self) -> None:
        self.folded: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, plain: str, start: int, end: int) -> None:
        """What the input's [start, end) became."""
        self.folded.append(plain)
        if len(plain) == 1:
            self.starts.append(start)
            self.ends.append(end)
        elif plain:
            self.starts += [start] * len(plain)
            self.ends += [end] * len(plain)
        elif self.ends:
            # An invisible tail belongs to the character that it hangs on.
            self.ends[-1] = end


@lru_cache(maxsize=4096)
def _fold(cluster: str) -> str:
    if len(cluster) > 1:
        return normalize("NFC", cluster)
    if "ㄱ" <= cluster <= "ㅣ":
        # NFKC would turn ㅋㅋ and the ㅡ between digits into conjoining jamo.
        return cluster
    if cluster in _LOOKALIKES:
        return _LOOKALIKES[cluster]
    plain = normalize("NFKC", cluster)
    if len(plain) > 1 and not plain.isascii():
        return cluster  # ½ and ﷺ hide no number, and their long forms would cost time
    return "".join(_plain(char) for char in plain)


def _plain(char: str) -> str:
    if char in _LOOKALIKES:
        return _LOOKALIKES[char]
    if char in "\t\r\n":
        return char
    kind = category(char)
    if kind in {"Cf", "Cc", "Mn", "Me"} or char in _FILLERS:
        return ""
    if kind == "Zs":
        return " "
    value = digit(char, -1)
    return char if value < 0 else str(value)
