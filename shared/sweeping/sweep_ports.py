"""What the sweep needs of the world: looks across all threads, and where each one goes on."""

from collections.abc import Sequence
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from pydantic import AwareDatetime

from shared.model.base import Frozen, Stored
from shared.model.cycle import Cycle
from shared.model.thread import ThreadKey
from shared.ports import Versioned

T = TypeVar("T")


class Uncounted(Frozen):
    """A stored message that no trigger has counted."""

    thread: ThreadKey
    message: Versioned


class Unseeded(Frozen):
    """A thread that no trigger has seeded, and when it was created."""

    thread: ThreadKey
    created_at: datetime


class Unfinished(Frozen):
    """A cycle that has begun and not ended, as a look across all threads found it."""

    thread: ThreadKey
    cycle: Cycle


class Unremembered(Frozen):
    """A thread whose counter says that a message has been pending for long, as it was read."""

    thread: ThreadKey
    version: object


class Position(Stored):
    """Where in an ordered look across all threads a page ended; `second` where two fields order."""

    value: AwareDatetime | int
    path: str
    second: int | None = None


class Checked(Frozen, Generic[T]):
    """What a span of time lacked, and up to when that is all: the whole span, or less."""

    items: Sequence[T]
    until: datetime


class Page(Frozen, Generic[T]):
    """Some of what a look across all threads found; the next begins `after` (None: anew)."""

    items: Sequence[T]
    after: Position | None = None


class Bookmark(Stored):
    """Where the sweep stopped: what it has checked up to, and where each look goes on."""

    messages_until: AwareDatetime | None = None
    threads_until: AwareDatetime | None = None
    cycles_after: Position | None = None
    due_after: Position | None = None
    unremembered_after: Position | None = None
    imports_after: Position | None = None


class Irregularities(Protocol):
    """Finds what the platform has lost, across all threads, at a cost in proportion to it."""

    def uncounted_messages(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Uncounted]: ...
    def unseeded_threads(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Unseeded]: ...
    def stalled_cycles(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unfinished]: ...
    def due_threads(
        self, trigger: int, *, after: Position | None, limit: int
    ) -> Page[ThreadKey]: ...
    def unremembered_threads(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unremembered]:
        """Threads that may have had a message pending since `before`."""
        ...

    def correct(self, found: Unremembered, pending_since: datetime | None) -> None:
        """Write since when a message has really been pending, unless the counter has moved."""
        ...

    def waiting_imports(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[ThreadKey]: ...
    def read_bookmark(self) -> Bookmark: ...
    def write_bookmark(self, bookmark: Bookmark) -> None: ...
