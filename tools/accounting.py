"""Whether a thread's memory has taken every message exactly once. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from shared.model.cycle import Cycle
from shared.model.thread import Counter, MessageRef

Place: TypeAlias = tuple[datetime, str]


@dataclass(frozen=True)
class StoredMessage:
    """A message as stored, without its text."""

    ref: MessageRef
    token_count: int | None


@dataclass(frozen=True)
class Accounts:
    """The reckoning. `problems` are sentences; without one, `lost` is 0."""

    sent: int
    stored: int
    tokens: int
    consumed_messages: int
    pending_messages: int
    pending_tokens: int
    lost: int
    problems: tuple[str, ...]

    @property
    def balanced(self) -> bool:
        """Whether every message is where it belongs, and nothing is counted twice."""
        return self.lost == 0 and not self.problems


def settle_accounts(
    *,
    sent: int,
    messages: Sequence[StoredMessage],
    cycles: Sequence[Cycle],
    cursor: MessageRef | None,
    counter: Counter,
) -> Accounts:
    """Compare the stored messages with what applied summary `cycles` and the `counter` claim.

    `lost` is the worse of two answers: messages sent but not stored, counted and found in exactly
    one place; and messages sent but claimed by nobody.
    """
    ordered = sorted(messages, key=lambda message: _place(message.ref))
    places = [_place(message.ref) for message in ordered]
    first_pending = bisect_right(places, _place(cursor)) if cursor else 0
    spans = [_span(places, cycle) for cycle in cycles] + [(first_pending, len(places))]
    taken = [sum(start <= index < end for start, end in spans) for index in range(len(places))]
    found = sum(
        times == 1 and message.token_count is not None
        for message, times in zip(ordered, taken, strict=True)
    )
    consumed = sum(one.consumed.count for one in cycles if one.consumed)
    return Accounts(
        sent=sent,
        stored=len(ordered),
        tokens=_tokens(ordered),
        consumed_messages=consumed,
        pending_messages=counter.pending_messages,
        pending_tokens=counter.pending_tokens,
        lost=max(sent - found, sent - consumed - counter.pending_messages),
        problems=(
            *_misplaced(sent, ordered, taken),
            *_misclaimed(ordered, places, cycles),
            *_miscounted(ordered[first_pending:], counter),
        ),
    )


def _place(ref: MessageRef) -> Place:
    return (ref.created_at, ref.message_id)


def _span(places: Sequence[Place], cycle: Cycle) -> tuple[int, int]:
    """Which of the ordered messages a cycle consumed, by its bounds."""
    if cycle.consumed is None:
        return 0, 0
    start = bisect_left(places, _place(cycle.consumed.first))
    return start, bisect_right(places, _place(cycle.consumed.last))


def _tokens(messages: Sequence[StoredMessage]) -> int:
    return sum(message.token_count or 0 for message in messages)


def _misplaced(sent: int, ordered: Sequence[StoredMessage], times: Sequence[int]) -> Iterator[str]:
    if sent != len(ordered):
        yield f"{sent} messages were sent, {len(ordered)} are stored"
    if uncounted := sum(message.token_count is None for message in ordered):
        yield f"{uncounted} stored messages were never counted"
    if skipped := times.count(0):
        yield f"{skipped} messages before the cursor are in no cycle"
    if doubled := sum(found > 1 for found in times):
        yield f"{doubled} messages were taken more than once"


def _misclaimed(
    ordered: Sequence[StoredMessage], places: Sequence[Place], cycles: Sequence[Cycle]
) -> Iterator[str]:
    for cycle in cycles:
        start, end = _span(places, cycle)
        if cycle.consumed is None:
            yield f"cycle {cycle.cycle_id} does not say what it consumed"
            continue
        claimed = (cycle.consumed.count, cycle.consumed.tokens)
        found = (end - start, _tokens(ordered[start:end]))
        if claimed != found:
            yield (
                f"cycle {cycle.cycle_id} says {claimed[0]} messages and {claimed[1]} tokens, "
                f"its bounds hold {found[0]} and {found[1]}"
            )


def _miscounted(pending: Sequence[StoredMessage], counter: Counter) -> Iterator[str]:
    found = (len(pending), _tokens(pending))
    if found != (counter.pending_messages, counter.pending_tokens):
        yield (
            f"the counter says {counter.pending_messages} messages and {counter.pending_tokens} "
            f"tokens are pending, stored after the cursor are {found[0]} and {found[1]}"
        )
