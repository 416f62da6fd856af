"""What the sources of one call state of the two: said, not denied, and agreed where it must be."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from shared.model.thread import Role
from shared.safety import reply_words as words
from shared.safety.around import Around, arounds
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact, facts, narrated, open_ends, settled_ends
from shared.safety.labels import Ladder
from shared.safety.moods import Mood, Voice, mentions, mood_of
from shared.safety.quotes import Names

_STAYS_MESSAGES = 4  # how long the talk stays with others whom it has turned to


class Settled(NamedTuple):
    """An end that a source says is settled; `topic` is what it was about, where it says so."""

    name: str
    topic: str


class Stated:
    """The labels and the settled ends that a call's sources state.

    Most calls raise nothing, so each part is worked out when it is first asked for.
    """

    def __init__(self, sources: Sequence[Source], names: Names) -> None:
        self._sources = sources
        self._names = names

    @cached_property
    def facts(self) -> set[Fact]:
        """The labels that hold."""
        return {
            fact for index, found in enumerate(self._said) for fact in self._facts_of(index, found)
        }

    @cached_property
    def settled(self) -> set[Settled]:
        """The ends that are settled."""
        return {one for index in range(len(self._sources)) for one in self._settled_of(index)}

    @cached_property
    def open(self) -> set[str]:
        """The names of what stands open."""
        return {name for source in self._sources for name in open_ends(source.text)}

    @cached_property
    def _said(self) -> list[list[Fact]]:
        return list(_said(self._sources, self._names))

    @cached_property
    def _around(self) -> list[Around]:
        return list(arounds(self._sources, self._said))

    def _facts_of(self, index: int, said: Sequence[Fact]) -> Iterator[Fact]:
        source, around = self._sources[index], self._around[index]
        if source.role is None:
            for fact in said if not around.reply.is_no else ():
                if fact.mood == "stated" or (fact.mood == "offered" and around.reply.is_yes):
                    yield fact._replace(mood="stated")
        elif not (around.is_made_up or around.is_taken_back):
            for fact in said:
                # An answer that says it once more: 그래, 사귀자
                is_answer = fact.mood == "offered" and words.YES.match(source.text)
                said_so = fact._replace(mood="stated") if is_answer else fact
                yield from _agreed(source.role, said_so, around)

    def _settled_of(self, index: int) -> Iterator[Settled]:
        source = self._sources[index]
        for name, mood, lead in settled_ends(source.text, self._names, _voice(source)):
            if self._holds(index, mood):
                topic = words.TOPIC.search(lead)
                yield Settled(name, topic[1] if topic else "")

    def _holds(self, index: int, mood: Mood) -> bool:
        if self._sources[index].role is None:
            return mood == "stated"
        around = self._around[index]
        if around.is_made_up or around.is_taken_back:
            return False
        if mood == "stated":
            return not around.reply.is_no
        return mood in {"offered", "asked"} and around.reply.is_yes

    def says(self, done: re.Pattern[str]) -> bool:
        """Whether a source says that this is done, by whomever: no plan, no wish, no denial."""
        return any(
            self._holds(index, "stated" if mood == "others" else mood)
            for index, source in enumerate(self._sources)
            for mention in mentions(source.text, done)
            for mood in [mood_of(mention, self._names, _voice(source))]
        )


def _voice(source: Source) -> Voice:
    return "talk" if source.role else "told"


def _agreed(speaker: Role, fact: Fact, around: Around) -> Iterator[Fact]:
    """A fact of a message, when it holds after what the other one answered."""
    own = not fact.holders or speaker in fact.holders
    answers = [one for one in around.answered if one.ladder == fact.ladder]
    if fact.ladder == "feeling" and fact.mood == "asked" and own:
        fact, own = fact._replace(holders=_other(speaker)), False
    if fact.mood == "stated" and own:
        # A feeling is one's own to state, whatever the other one says of it.
        is_contrary = fact.ladder == "relationship" and any(one.mood == "denied" for one in answers)
        holds = not (around.reply.is_no or is_contrary)
        if holds and fact.holders and around.reply.is_shared:
            yield fact._replace(holders=_other(speaker))
    else:
        is_met = fact.mood in {"offered", "asked"} and any(
            one.mood in {"offered", "stated"} and one.rank >= fact.rank for one in answers
        )
        holds = fact.mood in {"stated", "offered", "asked"} and (around.reply.is_yes or is_met)
    if holds:
        yield fact._replace(mood="stated")


def _other(role: Role) -> frozenset[Role]:
    return frozenset({"soul"} if role == "user" else {"user"})


def _said(sources: Sequence[Source], names: Names) -> Iterator[list[Fact]]:
    """The labels in each source. Talk that has turned to others stays there until it turns back."""
    elsewhere: dict[Ladder, int] = {}
    for index, source in enumerate(sources):
        away = {ladder for ladder, since in elsewhere.items() if index - since <= _STAYS_MESSAGES}
        # What a message quotes is somebody else's word.
        text = narrated(source.text) if source.role else source.text
        found = facts(text, names, voice=_voice(source), speaker=source.role, away=away)
        for fact in found:
            if source.role is not None and fact.mood == "others":
                elsewhere[fact.ladder] = index
        yield found
