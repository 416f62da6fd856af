"""Once a night: finish what was begun, delete what came late, and let those go who have left.

Bounded in number and in time; what there was no room for is where the next night begins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.leaving.erasing import erase_and_note
from shared.leaving.leaving_ports import LeavingPorts, NightBookmark
from shared.model.base import Frozen

SECONDS = 480.0
EXPORTS_KEPT = timedelta(days=1)
EXPORTS_AT_ONCE = 5_000
COMPARED_AT_ONCE = 100  # what Auth answers in one call
COMPARED = 20_000
MISSING_FOR = timedelta(hours=23)  # a day, less what a schedule wavers
LONGEST_UID = 128  # Auth has none beyond


class NightlyReport(Frozen):
    """What one night did. `alarms` are for people to look at; `errors` are classes of failures.

    `late` are documents and files that came after their user's data had been deleted.
    """

    deletions_finished: int
    late: int
    exports_deleted: int
    users_compared: int
    users_missing: int
    users_deleted: int
    alarms: tuple[str, ...]
    errors: tuple[str, ...]
    finished: bool


def nightly_sweep(*, ports: LeavingPorts) -> NightlyReport:
    """Look at every tombstone whose time has come, at old exports, and at who has no account.

    A user without an account is put on record first, and deleted only when Auth, asked anew a day
    later or more, still does not know them: so nobody goes because Auth was behind, wrong or away
    for a night. A night in which Auth knew none of those it was asked about deletes nobody.
    """
    night = _Night(ports)
    night.attempt(night.tombstones)
    night.attempt(night.old_exports)
    if night.attempt(night.compare):
        night.attempt(night.let_go)
    return NightlyReport(
        deletions_finished=night.deletions_finished,
        late=night.late,
        exports_deleted=night.exports_deleted,
        users_compared=night.compared,
        users_missing=night.missing,
        users_deleted=night.deleted,
        alarms=tuple(night.alarms),
        errors=tuple(sorted(set(night.errors))),
        finished=night.finished,
    )


@dataclass(slots=True)
class _Night:
    """One night under way."""

    ports: LeavingPorts
    deletions_finished: int = 0
    late: int = 0
    exports_deleted: int = 0
    compared: int = 0
    known: int = 0
    missing: int = 0
    deleted: int = 0
    alarms: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    finished: bool = True
    _now: datetime = field(init=False)
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._now = self.ports.clock.now()
        self._end = self.ports.clock.monotonic() + SECONDS

    def attempt(self, part: Callable[[], None]) -> bool:
        """Whether it went well; whatever it raises may not stop the others."""
        try:
            part()
        except Exception as error:
            self.errors.append(type(error).__name__)
            self.finished = False
            return False
        return True

    def tombstones(self) -> None:
        limit = self.ports.settings.sweep_limit
        due = self.ports.deletions.due(self._now, limit=limit)
        self.finished = self.finished and len(due) < limit
        for uid in due:
            if self._has_time():
                self.attempt(partial(self._look_at, uid))

    def _look_at(self, uid: str) -> None:
        deletion = self.ports.deletions.read(uid)
        if deletion is None:
            return
        erased = erase_and_note(uid, deletion, ports=self.ports, seconds=self._left())
        if deletion.finished_at is not None:
            self.late += erased.documents + erased.files
        elif erased.finished:
            self.deletions_finished += 1
        self.finished = self.finished and erased.finished

    def old_exports(self) -> None:
        self.exports_deleted = self.ports.files.delete_old_exports(
            self._now - EXPORTS_KEPT, limit=EXPORTS_AT_ONCE
        )
        self.finished = self.finished and self.exports_deleted < EXPORTS_AT_ONCE

    def compare(self) -> None:
        """Ask Auth about everybody who has documents, and put on record whom it does not know."""
        users = self.ports.users
        after = users.read_bookmark().users_after
        while self._has_time() and self.compared < COMPARED:
            uids = users.users_after(after, limit=COMPARED_AT_ONCE)
            if uids:
                missing = self._unknown(uids)
                users.note_missing(missing, self._now)
                self.compared += len(uids)
                self.missing += len(missing)
            after = uids[-1] if len(uids) == COMPARED_AT_ONCE else None
            users.write_bookmark(NightBookmark(users_after=after))
            if after is None:
                return
        self.finished = False

    def let_go(self) -> None:
        """Delete those who have been on record for a day, if Auth still does not know them."""
        limit = self.ports.settings.accounts_per_night
        if not limit or not self.compared:
            return
        if not self.known:
            self.alarms.append("auth_knew_nobody")
            return
        due = self.ports.users.missing_since(self._now - MISSING_FOR, limit=limit + 1)
        if len(due) > limit:
            self.alarms.append("more_users_without_an_account_than_one_night_may_delete")
            self.finished = False
        due = due[:limit]
        for start in range(0, len(due), COMPARED_AT_ONCE):
            some = due[start : start + COMPARED_AT_ONCE]
            gone = self._unknown(some)
            self.ports.users.forget_missing([uid for uid in some if uid not in gone])
            for uid in gone:
                if self._has_time():
                    self.attempt(partial(self._let_go, uid))

    def _let_go(self, uid: str) -> None:
        command = DeleteMyData(uid=uid, reason="account_gone")
        done = delete_my_data(command, ports=self.ports, seconds=self._left())
        self.deleted += 1
        self.finished = self.finished and done.finished
        self.ports.users.forget_missing([uid])

    def _unknown(self, uids: Sequence[str]) -> list[str]:
        """Those that Auth does not know; ids that it could never have had are not asked for."""
        asked = [uid for uid in uids if len(uid) <= LONGEST_UID]
        known = self.ports.accounts.known(asked)
        self.known += len(known)
        return [uid for uid in asked if uid not in known]

    def _has_time(self) -> bool:
        if self._left() <= 0:
            self.finished = False
            return False
        return True

    def _left(self) -> float:
        return self._end - self.ports.clock.monotonic()
