"""A message arrived: count it once, and ask for a summary cycle when enough has come together."""

from shared.images import message_tokens
from shared.model.base import Frozen
from shared.model.thread import ThreadKey
from shared.ports import Clock, Memory, Tasks, Threads, TokenCounter, Versioned
from shared.retention import message_expiry
from shared.settings import Settings
from shared.summarizing.request_cycle import request_cycle


class RecordMessage(Frozen):
    """Count this message, as it was when its event was made."""

    thread: ThreadKey
    message: Versioned


class MessageRecorded(Frozen):
    """What came of it; `newly_counted` is False on a second delivery."""

    newly_counted: bool
    pending_tokens: int
    cycle_asked: bool


def record_message(
    command: RecordMessage,
    *,
    threads: Threads,
    memory: Memory,
    tasks: Tasks,
    tokens: TokenCounter,
    clock: Clock,
    settings: Settings,
) -> MessageRecorded:
    """Count a message's tokens in one atomic write; the cost does not grow with the history.

    A second delivery changes no counter, but asks again: the first may have died between the
    two. Source: PRD §6.1.
    """
    message = command.message.message
    count = message_tokens(message, tokens, settings.image_tokens)
    expires_at = message_expiry(clock.now(), settings)
    counted = threads.count_tokens(command.thread, command.message, count, expires_at=expires_at)
    pending = counted.counter.pending_tokens
    before = pending - count if counted.newly else 0
    asked = is_cycle_due(before, pending, settings.cycle_trigger_tokens)
    if asked:
        request_cycle(command.thread, memory=memory, tasks=tasks, clock=clock, settings=settings)
    return MessageRecorded(newly_counted=counted.newly, pending_tokens=pending, cycle_asked=asked)


def is_cycle_due(before: int, after: int, trigger: int) -> bool:
    """Whether going from `before` to `after` pending tokens is the moment to ask.

    True when the trigger is reached, and again at every further tenth of it: asking is
    idempotent, and an ask that was lost, or a cycle that was rejected, gets another chance
    without every message paying for it.
    """
    if after < trigger:
        return False
    step = max(trigger // 10, 1)
    return before < trigger or before // step < after // step
