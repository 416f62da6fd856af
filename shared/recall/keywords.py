"""Which keywords of the lorebook a text calls up (PRD §4.10)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shared.recall.endings import stands_as_word, stands_fused
from shared.recall.normal_form import is_syllable, is_word, normal_form, open_syllable

# Shorter halves would find 단추 in "단 추억".
_SHORTEST_HALF = 2


def find_keywords(text: str, keywords: Iterable[str]) -> list[str]:
    """The `keywords` that `text` triggers, as given, in the given order, each once (PRD §4.10).

    To look into many texts, build one `KeywordIndex`.

    >>> find_keywords("강릉에서 모자이크 봤어", ["모자", "강릉"])
    ['강릉']
    """
    return KeywordIndex(keywords).find(text)


@dataclass(slots=True)
class _Keyword:
    """One normalised keyword: where a text may part it with a space, and the given spellings."""

    gaps: frozenset[int]
    places: list[int]


@dataclass(slots=True)
class _Node:
    following: dict[str, "_Node"] = field(default_factory=dict)
    keywords: list[_Keyword] = field(default_factory=list)


class KeywordIndex:
    """Keywords made ready for many texts (PRD §4.10).

    A trie over the keywords without their spaces. A search walks it once from each word's start,
    so its cost is linear in the text and independent of the number of keywords.
    """

    def __init__(self, keywords: Iterable[str]) -> None:
        self._keywords = list(dict.fromkeys(keywords))
        self._root = _Node()
        for place, keyword in enumerate(self._keywords):
            self._add(normal_form(keyword).strip(), place)

    def find(self, text: str) -> list[str]:
        """The keywords that `text` triggers, in the given order, each once."""
        normal = normal_form(text)
        found: set[int] = set()
        for start in _word_starts(normal):
            for keyword in self._keywords_at(normal, start):
                found.update(keyword.places)
        return [self._keywords[place] for place in sorted(found)]

    def _add(self, normal: str, place: int) -> None:
        if not normal:
            return
        node = self._root
        for char in normal:
            if char != " ":
                node = node.following.setdefault(char, _Node())
        gaps = _gaps(normal)
        for keyword in node.keywords:
            if keyword.gaps == gaps:
                keyword.places.append(place)
                return
        node.keywords.append(_Keyword(gaps, [place]))

    def _keywords_at(self, text: str, start: int) -> Iterator[_Keyword]:
        node, gaps, depth = self._root, set[int](), 0
        for position in range(start, len(text)):
            char = text[position]
            if char == " ":
                gaps.add(depth)
                continue
            yield from self._fused_at(node, text, start, position, gaps)
            following = node.following.get(char)
            if following is None:
                return
            node, depth = following, depth + 1
            if node.keywords and stands_as_word(text, start, position + 1):
                yield from (keyword for keyword in node.keywords if gaps <= keyword.gaps)

    @staticmethod
    def _fused_at(
        node: _Node, text: str, start: int, position: int, gaps: set[int]
    ) -> Iterator[_Keyword]:
        """Keywords that end in the syllable at `position` but for the copula melted into it."""
        char = text[position]
        if not is_syllable(char):
            return
        vowel, final = open_syllable(char)
        bare = node.following.get(vowel) if final else None
        if bare and bare.keywords and stands_fused(text, start, position + 1, final):
            yield from (keyword for keyword in bare.keywords if gaps <= keyword.gaps)


def _word_starts(text: str) -> Iterator[int]:
    """Where a keyword may begin: at a word's first character, and at any mark or emoji."""
    was_word = False
    for position, char in enumerate(text):
        word = is_word(char)
        if char != " " and not (word and was_word) and not _is_in_number(text, position):
            yield position
        was_word = word


def _is_in_number(text: str, position: int) -> bool:
    """Whether a number came before the mark in front: the 5 in 2.5층."""
    return (
        position > 1
        and text[position].isdigit()
        and text[position - 1] in ".,:"
        and text[position - 2].isdigit()
    )


def _gaps(keyword: str) -> frozenset[int]:
    """The lengths, spaces not counted, after which a text may part `keyword` with a space.

    At its own spaces; where the script changes (2층, BTS콘서트); and inside a long Korean
    compound (회전목마), but not close to its ends.
    """
    gaps: set[int] = set()
    length = 0
    for piece in keyword.split(" "):
        for index in range(1, len(piece)):
            before, after = piece[index - 1], piece[index]
            both = is_syllable(before), is_syllable(after)
            if both == (True, True):
                if _SHORTEST_HALF <= index <= len(piece) - _SHORTEST_HALF:
                    gaps.add(length + index)
            elif any(both) and is_word(before) and is_word(after):
                gaps.add(length + index)
        length += len(piece)
        gaps.add(length)
    return frozenset(gaps)
