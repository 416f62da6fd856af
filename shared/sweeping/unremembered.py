"""Chats too slow to come due before their messages expire (ADR 26)."""

from datetime import datetime, timedelta

from shared.ports import Memory, Threads
from shared.retention import REMEMBER_AHEAD
from shared.settings import Settings
from shared.sweeping.sweep_ports import Irregularities, Unremembered


def remembered_before(now: datetime, settings: Settings) -> datetime | None:
    """What has been pending since before this is to be remembered now; None: nothing expires."""
    kept = timedelta(days=settings.message_retention_days)
    return now - kept + REMEMBER_AHEAD if kept else None


def has_waited(
    found: Unremembered,
    before: datetime,
    *,
    irregularities: Irregularities,
    memory: Memory,
    threads: Threads,
    now: datetime,
) -> bool:
    """Whether a message of the thread has really been pending since `before`.

    What a counter says is never too late, and after a cycle too early: it is corrected then, so
    that the thread is not found again until it is time.
    """
    cursor = memory.read_cycle(found.thread, None).state.cursor
    # The cursor's own message comes first, where it is still there.
    first = threads.messages_from(found.thread, cursor, until=now, limit=2)
    pending = [
        one.message.created_at
        for one in first
        if cursor is None or cursor.is_before(one.message.ref)
    ]
    if pending and pending[0] <= before:
        return True
    irregularities.correct(found, pending[0] if pending else None)
    return False
