"""The counter made exact: as many messages and tokens as lie after the cursor and are counted."""

from typing import Protocol

from shared.errors import RetryLaterError, StaleClaimError
from shared.model.base import Frozen
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.ports import Memory

ATTEMPTS = 10


class CounterRead(Frozen):
    """The counter as read, with the version that a write must find unchanged."""

    counter: Counter
    version: object = None


class Counters(Protocol):
    """The counter, and the marks on the messages that it is to agree with."""

    def read(self, key: ThreadKey) -> CounterRead: ...
    def counted_between(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter: ...
    def write(self, key: ThreadKey, read: CounterRead, counter: Counter) -> None:
        """Raises StaleClaimError when the counter has been written since `read`."""
        ...


class Recounted(Frozen):
    """What the counter said, and what it says now."""

    before: Counter
    after: Counter


def recount(key: ThreadKey, *, memory: Memory, counters: Counters) -> Recounted:
    """Count anew what is pending; a counter that is right is left alone.

    Whoever counts a message or moves the cursor writes the counter in the same commit, so a
    counter that nobody has written since it was read vouches for both. One that moves meanwhile
    is counted again; raises RetryLaterError when it never holds still.
    """
    for _ in range(ATTEMPTS):
        read = counters.read(key)
        cursor = memory.read_cycle(key, None).state.cursor
        pending = counters.counted_between(key, cursor, None)
        if pending == read.counter:
            return Recounted(before=read.counter, after=pending)
        try:
            counters.write(key, read, pending)
        except StaleClaimError:
            continue
        return Recounted(before=read.counter, after=pending)
    raise RetryLaterError("messages are being counted faster than they can be added up")
