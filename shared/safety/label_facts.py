"""Which labels a line states, and of whom: of both, or whose feeling it is (PRD §4.5)."""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from functools import cache
from typing import NamedTuple

from shared.model.thread import Role
from shared.safety.holders import holders_of, is_for_a_thing, names_the_two
from shared.safety.labels import LABELS, Ladder
from shared.safety.moods import Mention, Mood, Voice, mentions, mood_of, sentences
from shared.safety.open_ends import OPEN_ENDS
from shared.safety.quotes import Names, is_speech, quotes_in


class Fact(NamedTuple):
    """A label as it stands in a text. `holders`: whose feeling; empty where it does not say."""

    ladder: Ladder
    rank: int
    mood: Mood
    holders: frozenset[Role]


def facts(
    text: str,
    names: Names,
    *,
    voice: Voice = "memory",
    speaker: Role | None = None,
    away: Set[Ladder] = frozenset(),
) -> list[Fact]:
    """Every label in `text`, once; with a `speaker` it is that one's message, else narration.

    `away`: the ladders on which the talk is of others, unless a sentence names the two again.
    """
    found = (
        fact
        for sentence in sentences(_visible(text))
        for fact in _facts_of(sentence, names, "talk" if speaker else voice, speaker, away)
    )
    return list(dict.fromkeys(found))


def _visible(text: str) -> str:
    """Composed, and without the characters that nobody sees."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(char for char in composed if unicodedata.category(char) != "Cf")


def narrated(line: str) -> str:
    """A line of memory with the words that somebody spoke blanked: quoting is no claim."""
    for quote in quotes_in(line):
        if is_speech(line, quote):
            line = line[: quote.start] + " " * (quote.end - quote.start) + line[quote.end :]
    return line


def open_ends(text: str) -> set[str]:
    """The names of what stands open in `text`."""
    return {one.name for one in OPEN_ENDS if any(form.search(text) for form in _compiled(one.open))}


def settled_ends(text: str, names: Names, voice: Voice) -> Iterator[tuple[str, Mood, str]]:
    """What is settled in `text`: name, mood, and what its sentence says before it."""
    visible = _visible(text)
    for one in OPEN_ENDS:
        for form in _compiled(one.settled if voice == "talk" else one.settled + one.claimed):
            for mention in mentions(visible, form):
                yield one.name, mood_of(mention, names, voice), mention.lead


@cache
def _compiled(forms: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def _facts_of(
    sentence: str, names: Names, voice: Voice, speaker: Role | None, away: Set[Ladder]
) -> Iterator[Fact]:
    for ladder, rank, start, end in _longest(sentence):
        mention = Mention.at(sentence, start, end)
        mood = mood_of(mention, names, voice)
        is_thing = ladder == "feeling" and is_for_a_thing(mention, names, speaker)
        if is_thing or (ladder in away and not names_the_two(ladder, mention, names)):
            mood = "others"
        holders: frozenset[Role] = frozenset()
        if ladder == "feeling":
            holders = holders_of(mention, names, speaker)
        yield Fact(ladder, rank, mood, holders)


def _longest(text: str) -> Iterator[tuple[Ladder, int, int, int]]:
    """The labels of a sentence; of two of a ladder that overlap, the longer."""
    found = [
        (label.ladder, label.rank, *match.span())
        for label in LABELS
        for form in _compiled(label.forms)
        for match in form.finditer(text)
    ]
    taken = {label.ladder: bytearray(len(text)) for label in LABELS}
    for ladder, rank, start, end in sorted(found, key=lambda one: one[2] - one[3]):
        if not any(taken[ladder][start:end]):
            taken[ladder][start:end] = b"1" * (end - start)
            yield ladder, rank, start, end
