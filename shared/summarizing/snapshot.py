"""What one cycle reads: messages after the cursor, with fixed bounds."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from shared.errors import RetryLaterError
from shared.model.base import Frozen
from shared.model.cycle import Consumed
from shared.model.thread import Counter, MemoryState, Message, ThreadKey
from shared.ports import Clock, Threads, TokenCounter, Versioned
from shared.settings import Settings
from shared.summarizing.window import window_start

PAGE = 500


class Snapshot(Frozen):
    """The messages of one cycle, oldest first, and what consuming them means."""

    messages: tuple[Message, ...]
    consumed: Consumed

    @property
    def counter(self) -> Counter:
        return Counter(pending_tokens=self.consumed.tokens, pending_messages=self.consumed.count)


def take_snapshot(
    key: ThreadKey,
    state: MemoryState,
    *,
    threads: Threads,
    tokens: TokenCounter,
    clock: Clock,
    settings: Settings,
) -> Snapshot:
    """Messages after the cursor and older than `settle_seconds`, `cycle_max_tokens` at most.

    Server timestamps are not the order of commits, so the newest seconds wait for the next
    cycle. A message that no trigger has counted yet is counted here first, so that taking it
    off the counter stays exact. Raises RetryLaterError while too little has settled.
    """
    until = clock.now() - timedelta(seconds=settings.settle_seconds)
    window: list[Message] = []
    fresh: list[Message] = []
    spent = 0
    for found in _from_window(key, state, until, threads):
        message = found.message
        if state.cursor is not None and not state.cursor.is_before(message.ref):
            window.append(message)
            continue
        count = message.token_count
        if count is None:
            count = tokens.count(message.text)
            threads.count_tokens(key, found, count)
        if fresh and spent + count > settings.cycle_max_tokens:
            break
        fresh.append(message)
        spent += count
    _check_settled(key, spent, threads=threads, settings=settings)
    if not fresh:
        raise RetryLaterError("no message has settled yet")
    return Snapshot(
        messages=tuple(fresh),
        consumed=Consumed(
            first=fresh[0].ref,
            last=fresh[-1].ref,
            count=len(fresh),
            tokens=spent,
            window_start=window_start([*window, *fresh]),
        ),
    )


def _from_window(
    key: ThreadKey, state: MemoryState, until: datetime, threads: Threads
) -> Iterator[Versioned]:
    start, skip = state.window_start, 0
    while True:
        page = threads.messages_from(key, start, until=until, limit=PAGE)
        yield from page[skip:]
        if len(page) < PAGE:
            return
        start, skip = page[-1].message.ref, 1


def _check_settled(key: ThreadKey, settled: int, *, threads: Threads, settings: Settings) -> None:
    pending = threads.read_counter(key).pending_tokens
    if settled < min(settings.cycle_trigger_tokens, pending):
        raise RetryLaterError("the newest messages have not settled yet")
