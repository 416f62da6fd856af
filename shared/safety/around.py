"""What stands around a message: how it was answered, and whether it was meant and stayed so."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from shared.safety import reply_words as words
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact
from shared.safety.mood_words import ACCEPTED, MADE_UP_AROUND

_REPLY_MESSAGES = 3
_ANSWER_MESSAGES = 5  # within which the other one may say the same, or that it is not so
_NEAR_MESSAGES = 3  # to either side: how long one dream or play is the talk
_MEANT_MESSAGES = 6  # within which what was said may be taken back
_A_GASP = 6  # characters: what does not turn the talk, such as `응?` or `그럼...`


class Around(NamedTuple):
    """What stands around one source.

    `answered`: the labels in the other one's next messages. `is_shared`: the other one feels the
    same. `is_made_up`: a dream or a play is the talk of the moment. `is_taken_back`: somebody says
    soon after that it was a joke, or is over.
    """

    answered: tuple[Fact, ...]
    is_accepted: bool
    is_denied: bool
    is_shared: bool
    is_made_up: bool
    is_taken_back: bool


def arounds(sources: Sequence[Source], said: Sequence[Sequence[Fact]]) -> Iterator[Around]:
    """Of each source in turn; `said` are its labels. Time grows with the sources alone."""
    withdrawn = [bool(words.TAKEN_BACK.search(one.text)) for one in sources]
    made_up = [bool(MADE_UP_AROUND.search(one.text)) for one in sources]
    replies = [reply for turn, reply in _turns(sources) for _ in turn]
    for index, source in enumerate(sources):
        others = (n for n in _after(index, sources) if sources[n].role != source.role)
        first = replies[index][:1]
        is_accepted = (
            _is_told_yes(sources, index) if source.role is None else _is_yes(replies[index])
        )
        yield Around(
            answered=tuple(fact for n in others for fact in said[n]),
            is_accepted=is_accepted,
            is_denied=not is_accepted and any(words.NO.match(one) for one in first),
            is_shared=bool(words.ME_TOO.search("\n".join(replies[index]))),
            is_made_up=any(made_up[max(0, index - _NEAR_MESSAGES) : index + _NEAR_MESSAGES + 1]),
            is_taken_back=any(withdrawn[index + 1 : index + 1 + _MEANT_MESSAGES]),
        )


def _after(index: int, sources: Sequence[Source]) -> range:
    return range(index + 1, min(len(sources), index + 1 + _ANSWER_MESSAGES))


def _turns(sources: Sequence[Source]) -> Iterator[tuple[list[Source], list[str]]]:
    """Each turn of bubbles, and the first few that the other one answered.

    When the answer is followed by a mere gasp of the first one, what comes after still answers.
    """
    turns = [list(turn) for _, turn in groupby(sources, lambda one: one.role)]
    padded = [*turns, [], [], []]
    for number, turn in enumerate(turns):
        reply = [one.text for one in padded[number + 1][:_REPLY_MESSAGES]]
        if all(len(one.text) <= _A_GASP for one in padded[number + 2]):
            reply += [one.text for one in padded[number + 3][:_REPLY_MESSAGES]]
        yield turn, reply


def _is_told_yes(sources: Sequence[Source], index: int) -> bool:
    """Whether a summary goes on to tell that the other one agreed."""
    following = sources[index + 1 : index + 2]
    return any(one.role is None and ACCEPTED.search(one.text) for one in following)


def _is_yes(bubbles: Sequence[str]) -> bool:
    """Whether one of the bubbles says yes, and neither it nor a later one a `but` or a no."""
    for number, bubble in enumerate(bubbles):
        if words.YES.match(bubble):
            rest = bubbles[number:]
            return not any(words.BUT.search(one) or words.NO.match(one) for one in rest)
    return False
