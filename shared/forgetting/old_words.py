"""Whether a text says what one message said, and says no longer (deleted, or edited)."""

import re
from collections.abc import Iterator

from shared.recall.normal_form import normal_form
from shared.recall.stop_words import STOP_BIGRAMS, STOP_WORDS
from shared.safety.comparable import comparable

_RUN = re.compile(r"[가-힣]+|[a-z0-9]+|[^\W_가-힣a-z0-9]+")
_LATIN = re.compile(r"[a-z0-9]+")
_LONG_RUN = 5  # Hangul written without spaces: words are sought within it
_STRETCH = 8  # as many characters in a row are no chance, whatever the words


class OldWords:
    """The words of a message as it was, without those of the message as it is now.

    Words are sought by their beginnings, since Korean endings change: "콩이야" is found in
    "콩이를". Endings and words that say nothing do not count.
    """

    def __init__(self, old: str, new: str = "") -> None:
        kept = comparable(new)
        self._stretches = {one for one in _stretches(comparable(old)) if one not in kept}
        still = normal_form(new)
        self._beginnings = {one for one in _beginnings(normal_form(old)) if one not in still}

    def __bool__(self) -> bool:
        """Whether anything was said that can be told from other talk."""
        return bool(self._stretches or self._beginnings)

    def are_in(self, text: str, rest: "Rest") -> bool:
        """Whether `text` says what only the old message said, and nothing in `rest`."""
        normal = normal_form(text)
        if any(one in normal and one not in rest.normal for one in self._beginnings):
            return True
        return any(
            one in self._stretches and one not in rest.letters
            for one in _stretches(comparable(text))
        )


class Rest:
    """What was said besides: a word that stands here too has another source."""

    def __init__(self, *texts: str) -> None:
        self.normal = normal_form("\n".join(texts))
        self.letters = "\n".join(comparable(text) for text in texts)


def _stretches(letters: str) -> Iterator[str]:
    for start in range(len(letters) - _STRETCH + 1):
        yield letters[start : start + _STRETCH]


def _beginnings(normal: str) -> Iterator[str]:
    for run in _RUN.findall(normal):
        if _LATIN.fullmatch(run):
            if len(run) > 1 and run not in STOP_WORDS:
                yield run
            continue
        starts = range(max(len(run) - 2, 1)) if len(run) >= _LONG_RUN else (0,)
        for start in starts:
            shortest = 3 if start else 2
            for end in range(start + shortest, len(run) + 1):
                word = run[start:end]
                if word not in STOP_WORDS and word[:2] not in STOP_BIGRAMS:
                    yield word
