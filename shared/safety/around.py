"""What stands around a message: how it was answered, and whether it was meant and stayed so."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from shared.safety import reply_words as words
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact
from shared.safety.mood_words import ACCEPTED, DENIED_NEXT, MADE_UP_AROUND

_REPLY_MESSAGES = 3
_ANSWER_MESSAGES = 5  # within which the other one may say the same, or that it is not so
_NEAR_MESSAGES = 3  # to either side: how long one dream or play is the talk
_MEANT_MESSAGES = 6  # within which what was said may be taken back
_A_GASP = 6  # characters: what does not turn the talk, such as `응?` or `그럼...`


class Reply(NamedTuple):
    """What the other one answered: yes, no, or that they feel the same."""

    is_yes: bool = False
    is_no: bool = False
    is_shared: bool = False


class Around(NamedTuple):
    """What stands around one source.

    `answered`: the labels in the other one's next messages. `is_made_up`: a dream or a play is the
    talk of the moment. `is_taken_back`: somebody says soon after that it was a joke, or is over.
    """

    reply: Reply
    answered: tuple[Fact, ...]
    is_made_up: bool
    is_taken_back: bool


def arounds(sources: Sequence[Source], said: Sequence[Sequence[Fact]]) -> Iterator[Around]:
    """Of each source in turn; `said` are its labels. Time grows with the sources alone."""
    withdrawn = [
        bool(words.TAKEN_BACK.search(one.text)) and not _says_it_again(found)
        for one, found in zip(sources, said, strict=True)
    ]
    made_up = [bool(MADE_UP_AROUND.search(one.text)) for one in sources]
    for index, reply in enumerate(_replies(sources)):
        later = range(index + 1, min(len(sources), index + 1 + _ANSWER_MESSAGES))
        others = (n for n in later if sources[n].role != sources[index].role)
        yield Around(
            reply=reply,
            answered=tuple(fact for n in others for fact in said[n]),
            is_made_up=any(made_up[max(0, index - _NEAR_MESSAGES) : index + _NEAR_MESSAGES + 1]),
            is_taken_back=any(withdrawn[index + 1 : index + 1 + _MEANT_MESSAGES]),
        )


def _says_it_again(found: Sequence[Fact]) -> bool:
    """Whether what was a joke was the refusal: 농담이야, 사귀자"""
    return any(fact.mood in {"offered", "stated"} for fact in found)


def _replies(sources: Sequence[Source]) -> Iterator[Reply]:
    """Of each source. All the bubbles of a turn have the same: the first few of the next turn.

    When that is followed by a mere gasp, what comes after it still answers.
    """
    turns = [list(turn) for _, turn in groupby(sources, lambda one: one.role)]
    padded = [*turns, [], [], []]
    for number, turn in enumerate(turns):
        if turn[0].role is None:
            yield from (_told(following) for following in [*turn[1:], None])
            continue
        bubbles = padded[number + 1][:_REPLY_MESSAGES]
        if all(len(one.text) <= _A_GASP for one in padded[number + 2]):
            bubbles = bubbles + padded[number + 3][:_REPLY_MESSAGES]
        reply = _reply([one.text for one in bubbles])
        yield from (reply for _ in turn)


def _reply(bubbles: Sequence[str]) -> Reply:
    is_yes = _is_yes(bubbles)
    return Reply(
        is_yes=is_yes,
        is_no=not is_yes and any(words.NO.match(bubble) for bubble in bubbles[:1]),
        is_shared=bool(words.ME_TOO.search("\n".join(bubbles))),
    )


def _is_yes(bubbles: Sequence[str]) -> bool:
    """Whether a part of a bubble says yes, and neither it nor a later one a `but` or a no."""
    parts = [part for bubble in bubbles for part in words.PARTS.split(bubble)]
    for number, part in enumerate(parts):
        if words.YES.match(part):
            rest = parts[number:]
            return not any(words.BUT.search(one) or words.NO.match(one) for one in rest)
    return False


def _told(following: Source | None) -> Reply:
    """How a summary goes on: that the other one agreed, or denied it."""
    text = following.text if following else ""
    return Reply(is_yes=bool(ACCEPTED.search(text)), is_no=bool(DENIED_NEXT.search(text)))
