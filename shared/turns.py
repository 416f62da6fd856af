"""Turns: what one side said before the other spoke (design: Words)."""

from collections.abc import Sequence

from shared.model.thread import Message


def turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Consecutive messages of one role, together."""
    grouped: list[list[Message]] = []
    for message in messages:
        if grouped and grouped[-1][-1].role == message.role:
            grouped[-1].append(message)
        else:
            grouped.append([message])
    return grouped
