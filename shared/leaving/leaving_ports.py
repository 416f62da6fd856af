"""What it takes to let a user go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.model.base import Frozen, Stored
from shared.model.deletion import Deletion
from shared.ports import Clock
from shared.settings import Settings


class Deletions(Protocol):
    """The tombstones. While one stands, the other ports refuse to create anything for its user."""

    def read(self, uid: str) -> Deletion | None: ...

    def begin(self, uid: str, deletion: Deletion) -> Deletion:
        """Write it unless one is there; what stands then."""
        ...

    def add(self, uid: str, *, documents: int, files: int) -> None:
        """Count what was deleted."""
        ...

    def finish(self, uid: str, *, finished_at: datetime, look_at: datetime) -> None: ...
    def due(self, now: datetime, *, limit: int) -> Sequence[str]:
        """Whose time to be looked at has come, longest overdue first."""
        ...


class DeletedPage(Frozen):
    """How many were deleted, and after what the next page begins (None: that was the last)."""

    count: int
    after: str | None = None


class Belongings(Protocol):
    """Every document of a user, in whatever collection, at whatever depth."""

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage: ...


class UserFiles(Protocol):
    """What users have in Cloud Storage: images, and their exports."""

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage: ...

    def delete_old_exports(self, before: datetime, *, limit: int) -> int:
        """Delete everybody's exports that were made before then; how many."""
        ...


class Accounts(Protocol):
    """The sign-in accounts. Raises RetryLaterError unless the answer is whole."""

    def known(self, uids: Sequence[str]) -> frozenset[str]:
        """Those of `uids` (100 at most) that have an account."""
        ...

    def delete(self, uid: str) -> None:
        """Delete the account; one that is gone is no error."""
        ...


class NightBookmark(Stored):
    """Where the comparison with the accounts goes on (None: anew)."""

    users_after: str | None = None


class Users(Protocol):
    """Everybody who has documents, and who of them was found without an account."""

    def users_after(self, uid: str | None, *, limit: int) -> Sequence[str]: ...
    def note_missing(self, uids: Sequence[str], now: datetime) -> None:
        """Put on record that they have no account; the first time is what is kept."""
        ...

    def missing_since(self, before: datetime, *, limit: int) -> Sequence[str]: ...
    def forget_missing(self, uids: Sequence[str]) -> None: ...
    def read_bookmark(self) -> NightBookmark: ...
    def write_bookmark(self, bookmark: NightBookmark) -> None: ...


@dataclass(frozen=True, slots=True)
class LeavingPorts:
    """What the use cases of this room work with."""

    deletions: Deletions
    belongings: Belongings
    files: UserFiles
    accounts: Accounts
    users: Users
    clock: Clock
    settings: Settings
