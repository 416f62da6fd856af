"""Pairs, and where the live window starts after a cycle (PRD §6.3)."""

from collections.abc import Sequence
from itertools import pairwise

from shared.model.thread import Message, MessageRef
from shared.turns import turns

LIVE_PAIRS = 2


def window_start(messages: Sequence[Message], pairs: int = LIVE_PAIRS) -> MessageRef:
    """The first message of the last `pairs` pairs of `messages`, which must not be empty.

    A pair is a user turn and the soul turn after it; a user turn that nobody has answered yet
    belongs to the window besides. With fewer pairs the window starts at the first message.
    """
    grouped = turns(messages)
    openings = [
        turn[0].ref
        for turn, following in pairwise(grouped)
        if turn[0].role == "user" and following[0].role == "soul"
    ]
    return openings[-pairs] if len(openings) >= pairs else messages[0].ref
