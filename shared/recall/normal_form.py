"""One form for every spelling of the same text, and what its characters are (PRD §4.10)."""

import re
import unicodedata
from enum import StrEnum

# What most of Korean chat is: nothing to fold but case and blanks.
_PLAIN = re.compile("[\\s!-~가-힣]*")
# Jamo typed on their own ("ㅋㅋ", "ㄳ"). Composed as a whole text, they would melt into the
# syllable before them: NFKC turns "희ㄳ" into "흯".
_LONE_JAMO = re.compile("([\u3131-\u318e\uffa1-\uffdc]+)")
# Joiners, marks of direction, variation selectors, tags: characters that nobody sees.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_BLANKS = re.compile("[\\s\u115f\u1160\u2800\u3164\uffa0]+")
_FIRST_SYLLABLE, _LAST_SYLLABLE = "가", "힣"
_FINALS_A_VOWEL = 28
_RIEUL_FINAL = 8


class Final(StrEnum):
    """How a word's last sound ends, which decides the form of a Korean particle after it."""

    VOWEL = "vowel"
    RIEUL = "ㄹ"
    CONSONANT = "consonant"
    UNKNOWN = "unknown"  # Latin letters and digits: read aloud in more than one way


def normal_form(text: str) -> str:
    """`text` in one Unicode form, width and case, without zero-width characters.

    Every run of white space becomes one space. Offsets are not kept.

    >>> normal_form("ＢＴＳ 소희\\u200b")
    'bts 소희'
    """
    if _PLAIN.fullmatch(text):
        return _BLANKS.sub(" ", text.casefold())
    parts = _LONE_JAMO.split(_INVISIBLE.sub("", text))
    parts[::2] = [_fold(part) for part in parts[::2]]
    parts[1::2] = ["".join(unicodedata.normalize("NFKC", c) for c in run) for run in parts[1::2]]
    return _BLANKS.sub(" ", "".join(parts))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_syllable(char: str) -> bool:
    """Whether `char` is one whole Hangul syllable."""
    return _FIRST_SYLLABLE <= char <= _LAST_SYLLABLE


def is_word(char: str) -> bool:
    """Whether `char` is a part of words: a letter, a digit or a mark on one, not a lone jamo."""
    if is_syllable(char):
        return True
    if char.isalnum():
        return not "\u1100" <= char <= "\u11ff"
    return not char.isascii() and unicodedata.category(char).startswith("M")


def final_of(char: str) -> Final:
    """The final of a word whose last character is `char`."""
    if not is_syllable(char):
        return Final.UNKNOWN
    final = (ord(char) - ord(_FIRST_SYLLABLE)) % _FINALS_A_VOWEL
    if final == 0:
        return Final.VOWEL
    return Final.RIEUL if final == _RIEUL_FINAL else Final.CONSONANT


def open_syllable(char: str) -> tuple[str, int]:
    """The syllable `char` without its final, and that final's number (0 when it has none)."""
    final = (ord(char) - ord(_FIRST_SYLLABLE)) % _FINALS_A_VOWEL
    return chr(ord(char) - final), final
