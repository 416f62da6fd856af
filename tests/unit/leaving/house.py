"""A house that users leave: documents by path, files by name, accounts, all in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.errors import RetryLaterError
from shared.leaving.leaving_ports import DeletedPage, LeavingPorts, NightBookmark
from shared.model.deletion import Deletion
from shared.settings import Settings
from tests.factories import NOW
from tests.fakes import FakeClock

PAGE = 3


@dataclass
class FakeDeletions:
    """Tombstones by uid."""

    stones: dict[str, Deletion] = field(default_factory=dict)

    def read(self, uid: str) -> Deletion | None:
        return self.stones.get(uid)

    def begin(self, uid: str, deletion: Deletion) -> Deletion:
        return self.stones.setdefault(uid, deletion)

    def add(self, uid: str, *, documents: int, files: int) -> None:
        stone = self.stones[uid]
        counted = {"documents": stone.documents + documents, "files": stone.files + files}
        self.stones[uid] = stone.model_copy(update=counted)

    def finish(self, uid: str, *, finished_at: datetime, look_at: datetime) -> None:
        times = {"finished_at": finished_at, "look_at": look_at}
        self.stones[uid] = self.stones[uid].model_copy(update=times)

    def due(self, now: datetime, *, limit: int) -> Sequence[str]:
        due = sorted((one.look_at, uid) for uid, one in self.stones.items() if one.look_at <= now)
        return [uid for _, uid in due][:limit]


@dataclass
class FakeBelongings:
    """Documents by path, deleted in pages of three; `after_page` runs behind each."""

    paths: set[str] = field(default_factory=set)
    after_page: Callable[[], None] = lambda: None

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:
        mine = sorted(path for path in self.paths if path.split("/")[:2] == ["users", uid])
        page = [path for path in mine if after is None or path > after][:PAGE]
        self.paths.difference_update(page)
        self.after_page()
        return DeletedPage(count=len(page), after=page[-1] if len(page) == PAGE else None)


@dataclass
class FakeFiles:
    """Files by name, with the time each was made."""

    made: dict[str, datetime] = field(default_factory=dict)

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:
        folders = (f"users/{uid}/", f"exports/{uid}/")
        page = sorted(name for name in self.made if name.startswith(folders))[:PAGE]
        for name in page:
            del self.made[name]
        return DeletedPage(count=len(page), after="more" if len(page) == PAGE else None)

    def delete_old_exports(self, before: datetime, *, limit: int) -> int:
        old = [n for n, at in self.made.items() if n.startswith("exports/") and at < before]
        for name in old[:limit]:
            del self.made[name]
        return len(old[:limit])


@dataclass
class FakeAccounts:
    """Who can sign in. `broken` answers nothing at all, `stumbles_at` not to that uid's page."""

    uids: set[str] = field(default_factory=set)
    broken: bool = False
    stumbles_at: str = ""

    def known(self, uids: Sequence[str]) -> frozenset[str]:
        if self.broken or self.stumbles_at in uids:
            raise RetryLaterError("Auth did not answer")
        return frozenset(self.uids.intersection(uids))

    def delete(self, uid: str) -> None:
        self.uids.discard(uid)


@dataclass
class FakeUsers:
    """Everybody who has documents."""

    belongings: FakeBelongings
    missing: dict[str, datetime] = field(default_factory=dict)
    bookmark: NightBookmark = field(default_factory=NightBookmark)

    def users_after(self, uid: str | None, *, limit: int) -> Sequence[str]:
        uids = sorted({path.split("/")[1] for path in self.belongings.paths})
        return [one for one in uids if uid is None or one > uid][:limit]

    def note_missing(self, uids: Sequence[str], now: datetime) -> None:
        for uid in uids:
            self.missing.setdefault(uid, now)

    def missing_since(self, before: datetime, *, limit: int) -> Sequence[str]:
        due = sorted((since, uid) for uid, since in self.missing.items() if since <= before)
        return [uid for _, uid in due][:limit]

    def forget_missing(self, uids: Sequence[str]) -> None:
        for uid in uids:
            self.missing.pop(uid, None)

    def read_bookmark(self) -> NightBookmark:
        return self.bookmark

    def write_bookmark(self, bookmark: NightBookmark) -> None:
        self.bookmark = bookmark


class House:
    """Users with a chat each, and what it takes to let them go."""

    def __init__(self, *uids: str, settings: Settings | None = None) -> None:
        self.clock = FakeClock(NOW)
        self.deletions = FakeDeletions()
        self.belongings = FakeBelongings()
        self.files = FakeFiles()
        self.accounts = FakeAccounts()
        self.users = FakeUsers(self.belongings)
        self.settings = settings or Settings()
        for uid in uids:
            self.move_in(uid)

    def move_in(self, uid: str) -> None:
        """An account, a chat with seven messages, a play, a budget, an image and an export."""
        thread = f"users/{uid}/threads/소희"
        self.belongings.paths |= {
            thread,
            *(f"{thread}/messages/m{number}" for number in range(7)),
            f"{thread}/slots/long_term_memory",
            f"users/{uid}/plays/p1/scenes/s1",
            f"users/{uid}/budgets/2026-05-28",
        }
        self.files.made |= {f"users/{uid}/images/사진.jpg": NOW, f"exports/{uid}/e.json": NOW}
        self.accounts.uids.add(uid)

    def of(self, uid: str) -> list[str]:
        """What is left of a user."""
        documents = (one for one in self.belongings.paths if one.split("/")[1] == uid)
        return sorted((*documents, *(one for one in self.files.made if one.split("/")[1] == uid)))

    @property
    def ports(self) -> LeavingPorts:
        return LeavingPorts(
            deletions=self.deletions,
            belongings=self.belongings,
            files=self.files,
            accounts=self.accounts,
            users=self.users,
            clock=self.clock,
            settings=self.settings,
        )
