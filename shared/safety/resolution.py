"""What memory held as open, and whether a new line calls it settled with no source to say so.

PRD §4.5, §5.3, §7.5: what is unresolved stays so.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from shared.safety.comparable import comparable, likeness
from shared.safety.label_facts import narrated, open_ends, settled_ends
from shared.safety.moods import mentions, mood_of, sentences
from shared.safety.open_ends import BETWEEN_THEM, QUARREL, SETTLES
from shared.safety.quotes import Names
from shared.safety.stated import Stated
from shared.safety.verb_forms import Verb, undone_verbs

MIN_SAME_TOPIC = 0.15
_STILL_OPEN = re.compile(
    r"아직|여전히|끝내|지\s?(?:는\s?)?(?:않|못)|미정|미해결|보류|미루[고는어]|미뤄"
    r"|\b(?:still|not|yet|unresolved|unanswered)\b|n't\b",
    re.IGNORECASE,
)
# How a word begins: after two syllables a particle or an ending may come.
_BEGINNING = re.compile(r"(?<![가-힣])[가-힣]{2}|\b[A-Za-z]{4,}")
_IN_EVERY_LINE = frozenset(
    "아직 여전 둘은 둘이 둘의 서로 우리 그날 함께 같이 이제 다시 먼저 모두 결국 마침 못했 않았"
    " 않은 못한 있다 했다 하지 대해 대한 위해 때문 사이 것은 것을 것이 그의 그녀 자신 상대 에게"
    " 한테 중이 상태 채로 still have with that this they them".split()
)


# Where only one of these is open, whatever claims to end one ends that one.
_OF_ONE_THING = frozenset({"반환", "약속", "대답"})


class _Undone(NamedTuple):
    """A sentence of memory that says what is not done yet: about what, and how it would end."""

    text: str
    topics: frozenset[str]
    verbs: tuple[Verb, ...]
    ends: frozenset[str]


class Resolutions:
    """The open ends of memory before; `is_unstated` judges a new line against them."""

    def __init__(self, before: Sequence[str], names: Names) -> None:
        self._names = names
        texts = [narrated(line) for line in before]
        self._open = {name for text in texts for name in open_ends(text)}
        self._undone = [
            self._undone_of(sentence)
            for text in texts
            for sentence in sentences(text)
            if _STILL_OPEN.search(sentence)
        ]

        ends = Counter(end for old in self._undone for end in old.ends & _OF_ONE_THING)
        self._single = {end for end, times in ends.items() if times == 1}

    def _undone_of(self, sentence: str) -> _Undone:
        return _Undone(
            text=sentence,
            topics=self._topics(sentence),
            verbs=tuple(undone_verbs(sentence)),
            ends=frozenset(open_ends(sentence) - self._claimed(sentence)),
        )

    def is_open(self, line: str) -> bool:
        """Whether a line of memory holds something open."""
        text = narrated(line)
        return bool(open_ends(text)) or bool(_STILL_OPEN.search(text))

    def is_unstated(self, line: str, stated: Stated) -> bool:
        """Whether the line calls settled what was open, and no source does."""
        text = narrated(line)
        claimed = self._claimed(text)
        if any(
            self._was_open(name, stated) and not _is_settled(name, line, stated)
            for name in claimed & BETWEEN_THEM
        ):
            return True
        topics = self._topics(text)
        done = (
            old
            for old in self._undone
            if self._is_done(old, text, topics)
            or (claimed & old.ends and (topics & old.topics or claimed & self._single))
        )
        return any(
            not any(stated.says(verb.past) for verb in old.verbs)
            and not any(_is_settled(name, text, stated) for name in claimed)
            for old in done
        )

    def _is_done(self, old: _Undone, text: str, topics: frozenset[str]) -> bool:
        """Whether the text says in the old line's own verb that it is done."""
        shared = old.topics & topics
        return likeness(old.text, text) >= MIN_SAME_TOPIC and any(
            mood == "stated" or (mood == "others" and shared - {verb.stem[:2]})
            for verb in old.verbs
            for mention in mentions(text, verb.affirmed)
            for mood in [mood_of(mention, self._names, "memory")]
        )

    def _claimed(self, text: str) -> set[str]:
        """The names of what a line says is settled; whose it is matters between the two only."""
        found = settled_ends(text, self._names, "memory")
        return {
            name
            for name, mood, _ in found
            if mood == "stated" or (mood == "others" and name not in BETWEEN_THEM)
        }

    def _topics(self, text: str) -> frozenset[str]:
        """What the text is about, by the beginnings of its words."""
        for name in (*self._names.user, *self._names.soul):
            text = text.replace(name, " ")
        begun = {word.casefold() for word in _BEGINNING.findall(text)}
        return frozenset(begun - _IN_EVERY_LINE)

    def _was_open(self, name: str, stated: Stated) -> bool:
        family = QUARREL if name in QUARREL else {name}
        return bool(family & self._open) or bool(family & stated.open)


def _is_settled(name: str, line: str, stated: Stated) -> bool:
    """Whether a source settles it; where that source says of what, the line must speak of it."""
    text = comparable(line)
    return any(
        one.name in SETTLES[name] and comparable(one.topic) in text for one in stated.settled
    )
