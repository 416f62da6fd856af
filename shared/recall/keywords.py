"""Which keywords of the lorebook a text calls up (PRD §4.10)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from shared.recall.endings import may_be_fused, stands_as_word
from shared.recall.normal_form import is_syllable, is_word, normal_form, open_syllable

# Shorter halves would find 단추 in "단 추억".
_SHORTEST_HALF = 2
# How many spaces a text may add to a keyword's own: 은색열쇠고리 ~ 은색 열쇠 고리.
_MOST_ADDED_SPACES = 2


def find_keywords(text: str, keywords: Iterable[str]) -> list[str]:
    """The `keywords` that `text` triggers, as given, in the given order, each once (PRD §4.10).

    To look into many texts, build one `KeywordIndex`.

    >>> find_keywords("강릉에서 모자이크 봤어", ["모자", "강릉"])
    ['강릉']
    """
    return KeywordIndex(keywords).find(text)


class _Keyword(NamedTuple):
    normal: str
    place: int


class _Text(NamedTuple):
    normal: str
    letters: str  # without spaces
    positions: list[int]  # of each letter, in `normal`


class KeywordIndex:
    """Keywords made ready for many texts (PRD §4.10).

    A search looks up what stands at each word's start, once for each length that a keyword with
    that first character has: linear in the text, whatever the number of keywords.
    """

    def __init__(self, keywords: Iterable[str]) -> None:
        self._keywords = list(dict.fromkeys(keywords))
        # Both are over the keywords without their spaces.
        self._by_letters: defaultdict[str, list[_Keyword]] = defaultdict(list)
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for place, keyword in enumerate(self._keywords):
            normal = normal_form(keyword).strip()
            letters = normal.replace(" ", "")
            if letters:
                self._by_letters[letters].append(_Keyword(normal, place))
                lengths[letters[0]].add(len(letters))
        self._lengths = {first: sorted(found) for first, found in lengths.items()}

    def find(self, text: str) -> list[str]:
        """The keywords that `text` triggers, in the given order, each once."""
        read = _read(text)
        found: set[int] = set()
        for start, letter in enumerate(read.letters):
            lengths = self._lengths.get(letter)
            if lengths and _starts_word(read.normal, read.positions[start]):
                for length in lengths:
                    if start + length > len(read.letters):
                        break
                    found.update(self._found_at(read, start, start + length, found))
        return [self._keywords[place] for place in sorted(found)]

    def _found_at(self, read: _Text, start: int, end: int, found: set[int]) -> list[int]:
        """The places of keywords that stand at these letters of the text and are not yet found."""
        positions: list[int] = []
        places: list[int] = []
        for keyword, fused_final in self._spelled(read.letters[start:end]):
            if keyword.place in found:
                continue
            positions = positions or read.positions[start:end]
            if _may_be_spaced(keyword.normal, positions) and stands_as_word(
                read.normal, positions[0], positions[-1] + 1, fused_final
            ):
                places.append(keyword.place)
        return places

    def _spelled(self, letters: str) -> Iterator[tuple[_Keyword, int]]:
        """The keywords spelled by `letters`, and the final that a copula added to it."""
        for keyword in self._by_letters.get(letters, ()):
            yield keyword, 0
        if may_be_fused(letters):
            vowel, final = open_syllable(letters[-1])
            for keyword in self._by_letters.get(letters[:-1] + vowel, ()):
                yield keyword, final


def _read(text: str) -> _Text:
    normal = normal_form(text)
    positions = [position for position, char in enumerate(normal) if char != " "]
    return _Text(normal, normal.replace(" ", ""), positions)


def _starts_word(text: str, position: int) -> bool:
    """Whether a keyword may begin here: a word does, or a mark or an emoji stands here."""
    if position == 0 or not is_word(text[position]):
        return True
    before = text[position - 1]
    if is_word(before):
        return False
    # The 5 in 2.5층 goes on a number.
    goes_on = position > 1 and before in ".,:" and text[position - 2].isdigit()
    return not (goes_on and text[position].isdigit())


def _may_be_spaced(keyword: str, positions: list[int]) -> bool:
    """Whether `keyword` may be written with the spaces that lie between its `positions`."""
    spaces = positions[-1] - positions[0] - len(positions) + 1
    if spaces == 0:
        return True
    if spaces > keyword.count(" ") + _MOST_ADDED_SPACES:
        return False
    pairs = enumerate(pairwise(positions), start=1)
    return {count for count, (one, two) in pairs if two - one > 1} <= _allowed_gaps(keyword)


def _allowed_gaps(keyword: str) -> set[int]:
    """The numbers of letters after which a text may part `keyword` with a space.

    At its own spaces; where the script changes (2층, BTS콘서트); and inside a long Korean
    compound (회전목마), but not close to its ends.
    """
    gaps: set[int] = set()
    count = 0
    for piece in keyword.split(" "):
        for index in range(1, len(piece)):
            before, after = piece[index - 1], piece[index]
            if is_syllable(before) and is_syllable(after):
                is_gap = _SHORTEST_HALF <= index <= len(piece) - _SHORTEST_HALF
            else:
                is_gap = (is_syllable(before) or is_syllable(after)) and (
                    is_word(before) and is_word(after)
                )
            if is_gap:
                gaps.add(count + index)
        count += len(piece)
        gaps.add(count)
    return gaps
