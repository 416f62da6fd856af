"""What is kept of a user, in memory, and files that an export may become."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from shared.errors import UserGoneError
from shared.exporting.export_ports import Amiss, BudgetDay, ExportPorts, KeptFile, LiveDocument
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.play import Play, PlaySummary, Scene
from shared.model.slots import Slot, SlotName
from shared.model.thread import Message, Thread, ThreadKey
from shared.settings import Settings
from tests.factories import NOW
from tests.fakes import FakeChance, FakeClock
from tests.unit.leaving.house import FakeDeletions


@dataclass
class FakeRecords:
    """One chat with 소희, and nothing of anybody else's. `misshapen` does not read."""

    said: Iterable[Message] = ()
    kept_slots: dict[SlotName, Slot] = field(default_factory=dict)
    entries: list[LorebookEntry] = field(default_factory=list)
    withdrawn: list[LorebookEntry] = field(default_factory=list)
    kept_cycles: list[Cycle] = field(default_factory=list)
    live_documents: dict[str, LiveDocument] = field(default_factory=dict)
    played: list[Play] = field(default_factory=list)
    days: list[BudgetDay] = field(default_factory=list)
    misshapen: list[str] = field(default_factory=list)

    def soul_ids(self, uid: str) -> Iterator[str]:
        yield "소희"

    def thread(self, key: ThreadKey, amiss: Amiss) -> Thread:
        return Thread(created_at=NOW, memory_status="ready")

    def messages(self, key: ThreadKey, amiss: Amiss) -> Iterator[Message]:
        for path in self.misshapen:
            amiss(path)
        yield from self.said

    def slots(self, key: ThreadKey, amiss: Amiss) -> Mapping[SlotName, Slot]:
        return self.kept_slots

    def lorebook(self, key: ThreadKey, amiss: Amiss) -> Iterable[LorebookEntry]:
        return self.entries

    def withdrawn_entries(self, key: ThreadKey, amiss: Amiss) -> Iterable[LorebookEntry]:
        return self.withdrawn

    def cycles(self, key: ThreadKey, amiss: Amiss) -> Iterable[Cycle]:
        return self.kept_cycles

    def live(self, key: ThreadKey, amiss: Amiss) -> Mapping[str, LiveDocument]:
        return self.live_documents

    def plays(self, uid: str, amiss: Amiss) -> Iterable[Play]:
        return self.played

    def summaries(self, uid: str, play_id: str, amiss: Amiss) -> Iterable[PlaySummary]:
        return [PlaySummary(index=0, text=f"{play_id}: 둘은 강변을 달렸다.")]

    def scenes(self, uid: str, play_id: str, amiss: Amiss) -> Iterable[Scene]:
        return [Scene(index=0, text="결승선이 보였다.")]

    def budgets(self, uid: str, amiss: Amiss) -> Iterable[BudgetDay]:
        return self.days


@dataclass
class FakeExportFiles:
    """Files by path; what is `forgetful` keeps their size alone."""

    kept: dict[str, str] = field(default_factory=dict)
    pictures: list[KeptFile] = field(default_factory=list)
    forgetful: bool = False

    def images(self, uid: str) -> Iterable[KeptFile]:
        return self.pictures

    def keep(self, path: str, texts: Iterable[str]) -> int:
        if self.forgetful:
            return sum(len(text.encode()) for text in texts)
        self.kept[path] = "".join(texts)
        return len(self.kept[path].encode())

    def hand_out(self, path: str, *, lasting: timedelta) -> str:
        return f"https://storage.example/{path}?for={lasting.total_seconds():.0f}"

    def remove(self, path: str) -> None:
        del self.kept[path]


@dataclass
class FakeAllowance:
    """Exports by user and day."""

    taken: dict[tuple[str, str], int] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)

    def take(self, uid: str, day: str) -> int:
        if uid in self.left:
            raise UserGoneError
        self.taken[uid, day] = self.taken.get((uid, day), 0) + 1
        return self.taken[uid, day]


@dataclass
class Archive:
    """Everything an export works with."""

    records: FakeRecords = field(default_factory=FakeRecords)
    files: FakeExportFiles = field(default_factory=FakeExportFiles)
    allowance: FakeAllowance = field(default_factory=FakeAllowance)
    deletions: FakeDeletions = field(default_factory=FakeDeletions)
    clock: FakeClock = field(default_factory=lambda: FakeClock(NOW))
    settings: Settings = field(default_factory=Settings)

    @property
    def ports(self) -> ExportPorts:
        return ExportPorts(
            records=self.records,
            files=self.files,
            allowance=self.allowance,
            deletions=self.deletions,
            clock=self.clock,
            chance=FakeChance(),
            settings=self.settings,
        )
