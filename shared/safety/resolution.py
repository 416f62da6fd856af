"""What memory held as open, and whether a new line calls it settled with no source to say so.

PRD §4.5, §5.3, §7.5: what is unresolved stays so.
"""

import re
from collections.abc import Sequence

from shared.safety.comparable import comparable, likeness
from shared.safety.label_facts import narrated, open_ends, settled_ends
from shared.safety.moods import mentions, mood_of, sentences
from shared.safety.open_ends import BETWEEN_THEM, QUARREL, SETTLES
from shared.safety.quotes import Names
from shared.safety.stated import Stated
from shared.safety.verb_forms import undone_verbs

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


class Resolutions:
    """The open ends of memory before; `is_unstated` judges a new line against them."""

    def __init__(self, before: Sequence[str], names: Names) -> None:
        self._names = names
        self._open = {name for line in before for name in open_ends(narrated(line))}
        self._undone = [
            sentence
            for line in before
            for sentence in sentences(narrated(line))
            if _STILL_OPEN.search(sentence)
        ]

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
        return any(self._is_done_unstated(old, text, claimed, stated) for old in self._undone)

    def _is_done_unstated(self, old: str, text: str, claimed: set[str], stated: Stated) -> bool:
        """Whether the text says that what `old` calls not done is done, and no source does."""
        verbs = undone_verbs(old)
        is_done = any(
            likeness(old, text) >= MIN_SAME_TOPIC and self._asserts(verb.affirmed, text)
            for verb in verbs
        )
        closed = (claimed & open_ends(old)) - self._claimed(old)
        is_closed = closed and self._share_a_topic(old, text)
        if not (is_done or is_closed):
            return False
        is_said = any(stated.says(verb.past) for verb in verbs)
        return not is_said and not any(_is_settled(name, text, stated) for name in claimed)

    def _claimed(self, text: str) -> set[str]:
        """The names of what a line says is settled; whose it is matters between the two only."""
        found = settled_ends(text, self._names, "memory")
        return {
            name
            for name, mood, _ in found
            if mood == "stated" or (mood == "others" and name not in BETWEEN_THEM)
        }

    def _asserts(self, form: re.Pattern[str], text: str) -> bool:
        found = mentions(text, form)
        return any(mood_of(mention, self._names, "memory") == "stated" for mention in found)

    def _share_a_topic(self, old: str, text: str) -> bool:
        """Whether the two lines share a word, other than names and what stands in every line."""
        return bool(self._topics(old) & self._topics(text))

    def _topics(self, text: str) -> set[str]:
        """What the text is about, by the beginnings of its words."""
        for name in (*self._names.user, *self._names.soul):
            text = text.replace(name, " ")
        return {word.casefold() for word in _BEGINNING.findall(text)} - _IN_EVERY_LINE

    def _was_open(self, name: str, stated: Stated) -> bool:
        family = QUARREL if name in QUARREL else {name}
        return bool(family & self._open) or bool(family & stated.open)


def _is_settled(name: str, line: str, stated: Stated) -> bool:
    text = comparable(line)
    return any(
        one.name in SETTLES[name] and comparable(one.topic) in text for one in stated.settled
    )
