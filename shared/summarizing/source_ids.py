"""The short ids that a model's output names its sources by (PRD §4.5, §5.3)."""

import re

_ID = r"[ms]\d{1,5}"
_LIST = re.compile(rf"{_ID}(?: ?(?:[,、;·~–-]|and|와|과)? ?{_ID})*")
_TOKEN = re.compile(r"([-~–])? ?([ms])(\d{1,5})")
_BRACKET_ALONE = re.compile(r"\[(?:Episode|Messenger) / [^\]]*\]")
_CLOSING = {")": "(", "）": "（", "]": "["}
_NONE = frozenset({"", "-", "none", "없음"})
_LONGEST = 400
_MOST_OF_A_RANGE = 50


def split_ids(text: str, letter: str) -> tuple[str, tuple[str, ...]]:
    """`text` without the ids in parentheses at its end, and those ids; `letter` is their kind.

    A text that holds nothing else keeps them.

    >>> split_ids("소희가 물었다. (m3, m7)", "m")
    ('소희가 물었다.', ('m3', 'm7'))
    """
    ids: list[str] = []
    while (found := _trailing(text)) and found[1].startswith(letter):
        text, listed = found
        ids = [*_read(listed), *ids]
    return text, tuple(dict.fromkeys(ids))


def _trailing(text: str) -> tuple[str, str] | None:
    """The text before the last parentheses, and the ids that they hold."""
    end = text.rstrip(" .。")
    start = end.rfind(_CLOSING.get(end[-1:], "\n"), max(0, len(end) - _LONGEST))
    before, listed = end[: max(start, 0)].rstrip(), " ".join(end[start + 1 : -1].split())
    if start < 0 or not before or _BRACKET_ALONE.fullmatch(before):
        return None
    return (before, listed) if _LIST.fullmatch(listed) else None


def listed_ids(text: str) -> list[str]:
    """The ids of a `sources` field; what is none stays as it is, for the check to refuse."""
    plain = " ".join(text.strip("()[] .").split())
    if plain.lower() in _NONE:
        return []
    if _LIST.fullmatch(plain):
        return list(dict.fromkeys(_read(plain)))
    return [part.strip() for part in plain.split(",") if part.strip()]


def _read(text: str) -> list[str]:
    """`m3, m5-m7` is m3, m5, m6 and m7; a range that is none, or a long one, is its ends."""
    ids: list[str] = []
    for dash, letter, digits in _TOKEN.findall(text):
        number = int(digits)
        first = int(ids[-1][1:]) if dash and ids else number
        if first < number <= first + _MOST_OF_A_RANGE:
            ids += [f"{letter}{between}" for between in range(first + 1, number)]
        ids.append(f"{letter}{number}")
    return ids
