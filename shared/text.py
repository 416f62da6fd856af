"""Cutting text without cutting a character in half."""

import unicodedata

_ZERO_WIDTH_JOINER = "\u200d"
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_REGIONAL_INDICATORS = range(0x1F1E6, 0x1F200)
_JAMO_VOWELS_AND_FINALS = range(0x1160, 0x1200)


def cut_text(text: str, limit: int, ending: str = "") -> str:
    """`text` if it has at most `limit` characters, else its start and `ending` within `limit`.

    Never parts an emoji sequence (joiners, skin tones, flags), a letter and its accents, or the
    jamo of one decomposed Hangul syllable. `limit` and the result are in code points.

    >>> cut_text("가족 👩‍👩‍👧 사진", 5)
    '가족 '
    """
    if len(text) <= limit:
        return text
    ending = ending if len(ending) <= limit else ""
    end = limit - len(ending)
    while end > 0 and not _is_boundary(text, end):
        end -= 1
    return text[:end] + ending


def _is_boundary(text: str, index: int) -> bool:
    """Whether `text` may be cut before the character at `index`."""
    before, after = text[index - 1], text[index]
    if _ZERO_WIDTH_JOINER in {before, after}:
        return False
    if _extends(after):
        return False
    if ord(before) in _REGIONAL_INDICATORS and ord(after) in _REGIONAL_INDICATORS:
        return _run_of_flags_before(text, index) % 2 == 0
    return True


def _extends(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.combining(char) != 0
        or unicodedata.category(char) in {"Mn", "Me", "Mc"}
        or code in _VARIATION_SELECTORS
        or code in _SKIN_TONES
        or code in _TAGS
        or code in _JAMO_VOWELS_AND_FINALS
    )


def _run_of_flags_before(text: str, index: int) -> int:
    run = 0
    while run < index and ord(text[index - 1 - run]) in _REGIONAL_INDICATORS:
        run += 1
    return run
