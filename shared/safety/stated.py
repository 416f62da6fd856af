"""What the sources of one call state of the two: said, not denied, and agreed where it must be."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from shared.model.thread import Role
from shared.safety import reply_words as words
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact, facts, open_ends, settled_ends
from shared.safety.labels import Ladder
from shared.safety.mood_words import ACCEPTED, MADE_UP_AROUND
from shared.safety.moods import Mood
from shared.safety.quotes import Names

_REPLY_MESSAGES = 3
_NEAR_MESSAGES = 3  # to either side: how long one dream, play or joke is the talk
_STAYS_MESSAGES = 4  # how long the talk stays with others whom it has turned to


class Settled(NamedTuple):
    """An end that a source says is settled; `topic` is what it was about, where it says so."""

    name: str
    topic: str


class Around(NamedTuple):
    """What stands around a message: how the other one answered it, and whether it was meant.

    `answered`: the labels in the answer. `is_shared`: the other one feels the same. `is_made_up`:
    a dream or a play is the talk of the moment. `is_taken_back`: somebody says that it was a joke.
    """

    answered: tuple[Fact, ...]
    is_accepted: bool
    is_denied: bool
    is_shared: bool
    is_made_up: bool
    is_taken_back: bool


class Stated:
    """The labels and the settled ends that a call's sources state."""

    def __init__(self, sources: Sequence[Source], names: Names) -> None:
        self._sources = sources
        self._names = names
        said = list(_said(sources, names))
        self._around = list(_around(sources, said))
        self.facts = {
            fact for index, found in enumerate(said) for fact in self._facts_of(index, found)
        }
        self.settled = {one for index in range(len(sources)) for one in self._settled_of(index)}
        self.open = {name for source in sources for name in open_ends(source.text)}

    def _facts_of(self, index: int, said: Sequence[Fact]) -> Iterator[Fact]:
        source, around = self._sources[index], self._around[index]
        if source.role is None:
            for fact in said:
                if fact.mood == "stated" or (fact.mood == "offered" and around.is_accepted):
                    yield fact._replace(mood="stated")
        elif not (around.is_made_up or around.is_taken_back):
            for fact in said:
                # An answer that says it once more: 그래, 사귀자
                is_answer = fact.mood == "offered" and words.YES.match(source.text)
                said_so = fact._replace(mood="stated") if is_answer else fact
                yield from _agreed(source.role, said_so, around)

    def _settled_of(self, index: int) -> Iterator[Settled]:
        source = self._sources[index]
        in_talk = source.role is not None
        for name, mood, lead in settled_ends(source.text, self._names, in_talk=in_talk):
            if self._holds(index, mood, in_talk=in_talk):
                topic = words.TOPIC.search(lead)
                yield Settled(name, topic[1] if topic else "")

    def _holds(self, index: int, mood: Mood, *, in_talk: bool) -> bool:
        if not in_talk:
            return mood == "stated"
        around = self._around[index]
        if around.is_made_up or around.is_taken_back:
            return False
        if mood == "stated":
            return not around.is_denied
        return mood in {"offered", "asked"} and around.is_accepted

    def says(self, done: re.Pattern[str]) -> bool:
        """Whether a source says that this is done: no question, no plan, no denial."""
        return any(
            self._holds(index, "stated", in_talk=source.role is not None)
            for index, source in enumerate(self._sources)
            for found in [done.search(source.text)]
            if found and not re.match(r"[^.!\n]{0,12}[?？]", source.text[found.end() :])
        )


def _agreed(speaker: Role, fact: Fact, around: Around) -> Iterator[Fact]:
    """A fact of a message, when it holds after what the other one answered."""
    own = not fact.holders or speaker in fact.holders
    answers = [one for one in around.answered if one.ladder == fact.ladder]
    if fact.ladder == "feeling" and fact.mood == "asked" and own:
        fact, own = fact._replace(holders=_other(speaker)), False
    if fact.mood == "stated" and own:
        # A feeling is one's own to state, whatever the other one says of it.
        is_contrary = fact.ladder == "relationship" and any(one.mood == "denied" for one in answers)
        holds = not (around.is_denied or is_contrary)
        if holds and fact.holders and around.is_shared:
            yield fact._replace(holders=_other(speaker))
    else:
        is_met = fact.mood in {"offered", "asked"} and any(
            one.mood in {"offered", "stated"} and one.rank >= fact.rank for one in answers
        )
        holds = fact.mood in {"stated", "offered", "asked"} and (around.is_accepted or is_met)
    if holds:
        yield fact._replace(mood="stated")


def _other(role: Role) -> frozenset[Role]:
    return frozenset({"soul"} if role == "user" else {"user"})


def _said(sources: Sequence[Source], names: Names) -> Iterator[list[Fact]]:
    """The labels in each source. Talk that has turned to others stays there until it turns back."""
    elsewhere: dict[Ladder, int] = {}
    for index, source in enumerate(sources):
        away = {ladder for ladder, since in elsewhere.items() if index - since <= _STAYS_MESSAGES}
        found = facts(source.text, names, speaker=source.role, away=away)
        for fact in found:
            if source.role is not None and fact.mood == "others":
                elsewhere[fact.ladder] = index
        yield found


def _around(sources: Sequence[Source], said: Sequence[Sequence[Fact]]) -> Iterator[Around]:
    """Of each source. All the bubbles of a turn are answered by the next turn's first few."""
    turns = [list(turn) for _, turn in groupby(range(len(sources)), lambda n: sources[n].role)]
    jokes = [bool(words.ONLY_A_JOKE.search(one.text)) for one in sources]
    dreams = [bool(MADE_UP_AROUND.search(one.text)) for one in sources]
    for turn, following in pairwise([*turns, []]):
        answer = following[:_REPLY_MESSAGES]
        bubbles = [sources[index].text for index in answer]
        is_accepted = _is_yes(bubbles)
        heard = Around(
            answered=tuple(fact for index in answer for fact in said[index]),
            is_accepted=is_accepted,
            is_denied=bool(bubbles) and bool(words.NO.match(bubbles[0])) and not is_accepted,
            is_shared=bool(words.ME_TOO.search("\n".join(bubbles))),
            is_made_up=False,
            is_taken_back=False,
        )
        for index in turn:
            yield heard._replace(
                is_accepted=_is_told_yes(sources, index)
                if sources[index].role is None
                else is_accepted,
                is_made_up=any(dreams[max(0, index - _NEAR_MESSAGES) : index + _NEAR_MESSAGES + 1]),
                is_taken_back=any(jokes[index + 1 : index + 1 + _NEAR_MESSAGES]),
            )


def _is_told_yes(sources: Sequence[Source], index: int) -> bool:
    """Whether a summary goes on to tell that the other one agreed."""
    following = sources[index + 1 : index + 2]
    return any(one.role is None and ACCEPTED.search(one.text) for one in following)


def _is_yes(bubbles: Sequence[str]) -> bool:
    """Whether one of a turn's bubbles says yes, and neither it nor a later one a `but` or a no."""
    for number, bubble in enumerate(bubbles):
        if words.YES.match(bubble):
            rest = bubbles[number:]
            return not any(words.BUT.search(one) or words.NO.match(one) for one in rest)
    return False
