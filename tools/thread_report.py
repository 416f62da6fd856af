"""Where a thread's memory stands, read from the database past the rules.

`ThreadReader.look()` is a cheap look while things move. `report()` is the reckoning once they are
still: each message sent must be stored, carry its tokens, and be consumed by one applied summary
cycle or pending. It does not read through the functions' adapters: it finds what they get wrong.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shared.history.standing import BrokenChainError, standing
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES
from shared.model.thread import Counter, MemoryState, MessageRef
from tools.accounting import Accounts, StoredMessage, settle_accounts

if TYPE_CHECKING:
    from google.cloud.firestore import Client, CollectionReference

READ_SECONDS = 20.0
EMULATOR_VARIABLE = "FIRESTORE_EMULATOR_HOST"
_LOOKED_AT = ("kind", "status", "requested_at", "consumed", "failure", "rolled_back_to")
_AT_WORK = frozenset({"claimed", "generated", "waiting"})


@dataclass(frozen=True)
class Standing:
    """One look at a thread. `current` is the newest cycle, whatever its state."""

    pending_messages: int
    pending_tokens: int
    consumed_messages: int
    consumed_tokens: int
    summary_cycles: int
    current: Cycle | None

    @property
    def counted_messages(self) -> int:
        """Messages that have been counted so far, consumed or not."""
        return self.pending_messages + self.consumed_messages

    @property
    def counted_tokens(self) -> int:
        """Tokens of all messages counted so far."""
        return self.pending_tokens + self.consumed_tokens

    @property
    def at_work(self) -> bool:
        """Whether a cycle has been begun and not ended."""
        return self.current is not None and self.current.status in _AT_WORK

    @property
    def gave_up(self) -> bool:
        """Whether the newest cycle ended without being applied, and waits for somebody."""
        return self.current is not None and self.current.status in {"rejected", "blocked"}

    @property
    def words(self) -> str:
        """It in a few words, for a progress line."""
        return (
            f"· {self.counted_tokens} tokens · {self.pending_tokens} pending · "
            f"{self.summary_cycles} cycles done"
        )

    @property
    def newest_cycle(self) -> str:
        """The newest cycle in words, with why it failed; never a user's text."""
        if self.current is None:
            return "there is no cycle yet"
        failure = self.current.failure
        why = f" ({failure.failure_class}: {failure.reason})" if failure else ""
        return f"cycle {self.current.cycle_id} is {self.current.status}{why}"

    def is_quiet(self, *, sent: int, trigger: int) -> bool:
        """Whether `sent` messages are counted and nothing is left to do about them."""
        counted = self.counted_messages >= sent
        return counted and self.pending_tokens < trigger and not self.at_work


class ThreadReader:
    """Reads one thread of one user as an operator would."""

    def __init__(self, client: Client, uid: str, soul_id: str) -> None:
        self._thread = client.collection("users", uid, "threads").document(soul_id)
        self._client = client

    def look(self) -> Standing:
        """Read the counter and the cycles, without their texts."""
        cycles = self._cycles(_LOOKED_AT)
        counter = self._counter()  # last: a cycle applied between the two shows as too few
        consumed = [one.consumed for one in applied_summaries(cycles) if one.consumed]
        return Standing(
            pending_messages=counter.pending_messages,
            pending_tokens=counter.pending_tokens,
            consumed_messages=sum(one.count for one in consumed),
            consumed_tokens=sum(one.tokens for one in consumed),
            summary_cycles=len(consumed),
            current=cycles[-1] if cycles else None,
        )

    def report(self, sent: int) -> ThreadReport:
        """Read everything and settle accounts; `sent` is how many messages there must be."""
        cycles = self._cycles()
        accounts = settle_accounts(
            sent=sent,
            messages=self._messages(),
            cycles=applied_summaries(cycles),
            cursor=self._state().cursor,
            counter=self._counter(),
        )
        return ThreadReport(
            accounts=accounts,
            cycles=tuple(cycles),
            slots=self._slots(),
            lorebook=tuple(self._lorebook()),
        )

    def _under(self, name: str) -> CollectionReference:
        collection: CollectionReference = self._thread.collection(name)
        return collection

    def _counter(self) -> Counter:
        found = self._under("state").document("counter").get(timeout=READ_SECONDS)
        return Counter.model_validate(found.to_dict() or {})

    def _state(self) -> MemoryState:
        found = self._under("state").document("memory").get(timeout=READ_SECONDS)
        return MemoryState.model_validate(found.to_dict() or {})

    def _cycles(self, fields: tuple[str, ...] = ()) -> list[Cycle]:
        cycles: Any = self._under("cycles")
        found = (cycles.select(fields) if fields else cycles).stream(timeout=READ_SECONDS)
        read = [Cycle.model_validate({**one.to_dict(), "cycle_id": one.id}) for one in found]
        return sorted(read, key=lambda cycle: cycle.cycle_id)

    def _messages(self) -> list[StoredMessage]:
        found: Any = self._under("messages").select(("created_at", "token_count"))
        return [
            StoredMessage(
                ref=MessageRef(created_at=one.get("created_at"), message_id=one.id),
                token_count=(one.to_dict() or {}).get("token_count"),
            )
            for one in found.stream(timeout=READ_SECONDS)
        ]

    def _slots(self) -> dict[str, str]:
        references = [self._under("slots").document(name) for name in SLOT_NAMES]
        found = self._client.get_all(references, timeout=READ_SECONDS)
        contents = {one.id: str((one.to_dict() or {}).get("content", "")) for one in found}
        return {name: contents[name] for name in SLOT_NAMES}

    def _lorebook(self) -> list[LorebookEntry]:
        found = self._under("lorebook").stream(timeout=READ_SECONDS)
        entries = [LorebookEntry.model_validate(one.to_dict() or {}) for one in found]
        return sorted(entries, key=lambda entry: entry.entry_id)


@dataclass(frozen=True)
class ThreadReport:
    """A thread's memory as it is stored, with its accounts settled."""

    accounts: Accounts
    cycles: tuple[Cycle, ...]
    slots: dict[str, str]
    lorebook: tuple[LorebookEntry, ...]

    @cached_property
    def summary_cycles(self) -> int:
        """How many summary cycles were applied."""
        return len(applied_summaries(self.cycles))

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that answered, by the audit of the cycles."""
        answered = [cycle.output.model_answered for cycle in self.cycles if cycle.output]
        return tuple(dict.fromkeys(answered))


def applied_summaries(cycles: tuple[Cycle, ...] | list[Cycle]) -> list[Cycle]:
    """The cycles that consumed messages, but for those that were rolled back."""
    applied = [one for one in cycles if one.status == "applied"]
    newest = max((one.generation for one in applied), default=0)
    try:
        stand = standing(applied, newest).cycles
    except BrokenChainError:
        stand = tuple(applied)
    return [one for one in stand if one.kind == "summary"]


def admin_client(project_id: str, firestore_host: str) -> Client:
    """A client that the rules do not bind, as the game's back end and Studio have one."""
    from google.cloud import firestore

    before = os.environ.get(EMULATOR_VARIABLE)
    os.environ[EMULATOR_VARIABLE] = firestore_host  # read once, while the client is made
    try:
        return firestore.Client(project=project_id)
    finally:
        if before is None:
            del os.environ[EMULATOR_VARIABLE]
        else:
            os.environ[EMULATOR_VARIABLE] = before
