"""How long raw messages and the audits of cycles are kept, and what has expired (PRD §6.3, §12).

A document's `expires_at` is written in a commit that is made anyway. Firestore deletes what has
expired within about a day, so reading looks for itself. What no cycle has consumed yet counts as
kept until one has, and the sweep asks for that cycle `REMEMBER_AHEAD` before.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from shared.model.cycle import Cycle
from shared.model.thread import MemoryState, Message
from shared.settings import Settings

REMEMBER_AHEAD = timedelta(days=7)
_ENDED = frozenset({"applied", "rejected"})


class Expiring(Protocol):
    """A document that may have an end."""

    @property
    def expires_at(self) -> datetime | None: ...


D = TypeVar("D", bound=Expiring)


def message_expiry(now: datetime, settings: Settings) -> datetime | None:
    """When a message that is counted now expires; None: never."""
    return _after(now, settings.message_retention_days)


def with_expiry(cycle: Cycle, now: datetime, settings: Settings) -> Cycle:
    """The cycle as it is committed now: one that has ended is an audit, and expires as one.

    A blocked cycle has not ended: it goes on once its cause is mended.
    """
    days = settings.audit_retention_days if cycle.status in _ENDED else 0
    return cycle.model_copy(update={"expires_at": _after(now, days)})


def has_expired(document: Expiring, now: datetime) -> bool:
    """Whether its retention has ended, deleted or not."""
    return document.expires_at is not None and document.expires_at <= now


def unexpired(documents: Iterable[D], now: datetime) -> list[D]:
    """Those whose retention has not ended."""
    return [one for one in documents if not has_expired(one, now)]


def readable(messages: Iterable[Message], state: MemoryState, now: datetime) -> list[Message]:
    """Messages whose retention has not ended, and all that memory has yet to consume."""
    return [
        one
        for one in messages
        if not has_expired(one, now) or state.cursor is None or state.cursor.is_before(one.ref)
    ]


def _after(now: datetime, days: int) -> datetime | None:
    return now + timedelta(days=days) if days else None
