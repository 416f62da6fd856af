"""What a change of a message needs of the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from shared.model.base import Frozen
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.slots import Slot, SlotName
from shared.model.thread import Counter, MemoryState, MessageRef, ThreadKey
from shared.ports import (
    Clock,
    CycleRead,
    Embedder,
    Lorebook,
    Memory,
    Souls,
    Threads,
    TokenCounter,
    Versioned,
)
from shared.settings import Settings


def change_id(message_id: str, kind: Literal["edited", "deleted"], written_at: datetime) -> str:
    """Names a change by its message and when that was written: by the edit, or last of all."""
    return f"{message_id}.{kind}.{int(written_at.timestamp() * 1_000_000)}"


class Audit(Frozen):
    """A cycle as stored, with the version that a rewrite must find unchanged."""

    cycle: Cycle
    version: object = None


class ChangeRecord(Frozen):
    """How far a change is, with the version that a write must find (None: nothing on record).

    `lines` are what an attempt has found to rest on the message, before it rewrote any audit: one
    that comes after it no longer finds all of it.
    """

    settled: bool = False
    lines: frozenset[str] = frozenset()
    version: object = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """All that a change of a message means, written at once or not at all.

    `message` is marked with `token_count`, and with `expires_at` where it has none. The counter
    moves by `counted`, which may be negative.
    """

    change_id: str
    record: ChangeRecord
    state: MemoryState
    message: Versioned | None = None
    token_count: int = 0
    expires_at: datetime | None = None
    counted: Counter = field(default_factory=Counter)
    audits: Sequence[Audit] = ()
    slots: Mapping[SlotName, Slot] = field(default_factory=dict)
    removed_entries: Sequence[str] = ()
    removed_withdrawn: Sequence[str] = ()
    changed_entries: Sequence[LorebookEntry] = ()
    shards: Mapping[int, bytes] = field(default_factory=dict)
    embeddings: Mapping[int, bytes] = field(default_factory=dict)


class Changes(Protocol):
    """Changes of messages that were settled, and the audits that may hold their old words."""

    def read_change(self, key: ThreadKey, change_id: str) -> ChangeRecord:
        """Raises UserGoneError where all of the user's data is being deleted anyway."""
        ...

    def begin(self, key: ThreadKey, change_id: str, record: ChangeRecord) -> ChangeRecord:
        """Write it until the change is settled; StaleClaimError where it has moved."""
        ...

    def audits_since(self, key: ThreadKey, ref: MessageRef) -> Sequence[Audit]:
        """From the first cycle that consumed up to `ref` or beyond it, oldest first; maybe none."""
        ...

    def withdrawn_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        """What rollbacks have taken out of the lorebook, and another one might bring back."""
        ...

    def rewrite_audits(self, key: ThreadKey, audits: Sequence[Audit]) -> None:
        """Raises StaleClaimError where one has been written since it was read."""
        ...

    def settle(self, key: ThreadKey, read: CycleRead, settlement: Settlement) -> None:
        """Raises StaleClaimError when record, fence, message or an audit has moved meanwhile.

        A settlement whose acknowledgement was lost is recognised by its `change_id`.
        """
        ...


@dataclass(frozen=True, slots=True)
class ChangePorts:
    """The ports that a change of a message needs."""

    changes: Changes
    memory: Memory
    threads: Threads
    lorebook: Lorebook
    embedder: Embedder | None
    souls: Souls
    tokens: TokenCounter
    clock: Clock
    settings: Settings
