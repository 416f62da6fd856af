"""What an export reads, and where it is kept."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from pydantic import AwareDatetime

from shared.leaving.leaving_ports import Deletions
from shared.model.base import Frozen, Stored
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport
from shared.model.play import Play, PlaySummary, Scene
from shared.model.reply import LiveReply
from shared.model.slots import Slot, SlotName
from shared.model.thread import Message, Thread, ThreadKey
from shared.ports import Chance, Clock
from shared.settings import Settings

Amiss = Callable[[str], None]
"""Hears the path of each document that does not read as what it should be."""


LiveDocument = LiveReply | LiveImport


class BudgetDay(Stored):
    """What a user's day came to: memory's model calls and their tokens, replies, exports."""

    day: str
    calls: int = 0
    tokens: int = 0
    replies: int = 0
    exports: int = 0


class KeptFile(Frozen):
    """An image in Cloud Storage, which its owner may get by its path."""

    path: str
    content_type: str
    size_bytes: int
    created_at: AwareDatetime


class UserRecords(Protocol):
    """All that is kept of one user. What may be long is read page by page, as it is asked for."""

    def soul_ids(self, uid: str) -> Iterable[str]:
        """Of every chat, also where the thread's own document is missing."""
        ...

    def thread(self, key: ThreadKey, amiss: Amiss) -> Thread: ...
    def messages(self, key: ThreadKey, amiss: Amiss) -> Iterable[Message]:
        """Oldest first."""
        ...

    def slots(self, key: ThreadKey, amiss: Amiss) -> Mapping[SlotName, Slot]: ...
    def lorebook(self, key: ThreadKey, amiss: Amiss) -> Iterable[LorebookEntry]: ...
    def withdrawn_entries(self, key: ThreadKey, amiss: Amiss) -> Iterable[LorebookEntry]: ...
    def cycles(self, key: ThreadKey, amiss: Amiss) -> Iterable[Cycle]: ...
    def live(self, key: ThreadKey, amiss: Amiss) -> Mapping[str, LiveDocument]: ...
    def plays(self, uid: str, amiss: Amiss) -> Iterable[Play]: ...
    def summaries(self, uid: str, play_id: str, amiss: Amiss) -> Iterable[PlaySummary]: ...
    def scenes(self, uid: str, play_id: str, amiss: Amiss) -> Iterable[Scene]: ...
    def budgets(self, uid: str, amiss: Amiss) -> Iterable[BudgetDay]: ...


class ExportFiles(Protocol):
    """Files that no client may read, and addresses that open one of them for a while."""

    def images(self, uid: str) -> Iterable[KeptFile]: ...
    def keep(self, path: str, texts: Iterable[str]) -> int:
        """Write a file piece by piece; its size in bytes. Nothing is kept of one that fails."""
        ...

    def hand_out(self, path: str, *, lasting: timedelta) -> str: ...
    def remove(self, path: str) -> None: ...


class ExportAllowance(Protocol):
    """How many exports a user has asked for on a day."""

    def take(self, uid: str, day: str) -> int:
        """One more; how many that makes. Raises UserGoneError."""
        ...


@dataclass(frozen=True, slots=True)
class ExportPorts:
    """What an export works with."""

    records: UserRecords
    files: ExportFiles
    allowance: ExportAllowance
    deletions: Deletions
    clock: Clock
    chance: Chance
    settings: Settings
