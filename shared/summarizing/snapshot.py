"""What one cycle reads: messages after the cursor, with fixed bounds."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from shared.errors import RetryLaterError
from shared.images import message_tokens
from shared.model.base import Frozen
from shared.model.cycle import Consumed
from shared.model.thread import MemoryState, Message, ThreadKey
from shared.ports import Clock, Threads, TokenCounter, Versioned
from shared.retention import has_expired, message_expiry, unexpired
from shared.settings import Settings
from shared.summarizing.window import window_start
from shared.turns import turns

PAGE = 500
MAX_MESSAGES = 2_000  # their ids stay in the cycle's record, and a document holds at most 1 MiB


class Snapshot(Frozen):
    """The messages of one cycle, oldest first, and what consuming them means.

    `again` are earlier ones, which were consumed before and are read once more.
    """

    messages: tuple[Message, ...]
    consumed: Consumed
    again: tuple[Message, ...] = ()

    @property
    def readable(self) -> tuple[Message, ...]:
        """What the model is to remember: all but the messages that it refuses."""
        return tuple(one for one in self.messages if one.set_aside_by is None)

    @property
    def read(self) -> tuple[Message, ...]:
        """All that the model gets to read, in the order of its numbers."""
        return (*self.again, *self.readable)


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

    No more than `MAX_MESSAGES` either.

    Server timestamps are not the order of commits, so the newest seconds wait for the next
    cycle. While a message is sought that the model refuses, half of the suspects are taken.
    Raises RetryLaterError while too little has settled.
    """
    now = clock.now()
    until = now - timedelta(seconds=settings.settle_seconds)
    most = None if state.suspects is None else (state.suspects + 1) // 2
    window: list[Message] = []
    fresh: list[Message] = []
    spent = readable = 0
    for found in _from_window(key, state, until, threads):
        message = found.message
        if state.cursor is not None and not state.cursor.is_before(message.ref):
            window += [] if has_expired(message, now) else [message]
            continue
        count = _counted(key, found, now, threads=threads, tokens=tokens, settings=settings)
        full = spent + count > settings.cycle_max_tokens or len(fresh) == MAX_MESSAGES
        if fresh and (full or readable == most):
            break
        fresh.append(message)
        spent += count
        readable += message.set_aside_by is None
    if most is None and len(fresh) < MAX_MESSAGES:
        _check_settled(key, spent, until, threads=threads, settings=settings)
    if not readable:
        raise RetryLaterError("no message that the model may read has settled yet")
    again = _again(key, state, threads, now)
    return Snapshot(
        again=again,
        messages=tuple(fresh),
        consumed=Consumed(
            first=fresh[0].ref,
            last=fresh[-1].ref,
            count=len(fresh),
            tokens=spent,
            readable=readable,
            turns=len(turns(fresh)),
            after=state.cursor,
            window_start=window_start([*window, *fresh]),
            message_ids=tuple(
                one.message_id for one in (*again, *fresh) if one.set_aside_by is None
            ),
        ),
    )


def _again(
    key: ThreadKey, state: MemoryState, threads: Threads, now: datetime
) -> tuple[Message, ...]:
    """The messages whose memory was withdrawn, as they are now; after a rollback some are new."""
    cursor = state.cursor
    earlier = [one for one in state.reread if cursor is not None and not cursor.is_before(one)]
    found = threads.read_messages(key, [one.message_id for one in earlier])
    return tuple(one for one in unexpired(found, now) if one.set_aside_by is None)


def _counted(
    key: ThreadKey,
    found: Versioned,
    now: datetime,
    *,
    threads: Threads,
    tokens: TokenCounter,
    settings: Settings,
) -> int:
    """A message's tokens; one that no trigger has counted yet is counted here first.

    So taking it off the counter stays exact, and its trigger, if it still comes, finds it done.
    """
    message = found.message
    if message.token_count is not None:
        return message.token_count
    count = message_tokens(message, tokens, settings.image_tokens)
    threads.count_tokens(key, found, count, expires_at=message_expiry(now, settings))
    return count


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


def _check_settled(
    key: ThreadKey, settled: int, until: datetime, *, threads: Threads, settings: Settings
) -> None:
    """A counter that is too high alone must not hold memory up: then nothing newer is there."""
    pending = threads.read_counter(key).pending_tokens
    if settled >= min(settings.cycle_trigger_tokens, pending):
        return
    newest = threads.latest_messages(key, None, limit=1)
    if newest and newest[-1].created_at > until:
        raise RetryLaterError("the newest messages have not settled yet")
