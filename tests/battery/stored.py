"""A thread as it stands in the database, read whole."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from google.cloud.firestore import Client, FieldFilter

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from shared.history.standing import BrokenChainError, standing
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport, PlaysRead
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import Counter, MemoryState, Message, Thread, ThreadKey

Collections = dict[str, dict[str, dict[str, Any]]]
COLLECTIONS = ("messages", "state", "cycles", "slots", "lorebook", "withdrawn_entries", "live")


@dataclass
class StoredThread:
    """Everything under `users/{uid}/threads/{soul_id}`; messages in order."""

    thread: Thread = field(default_factory=Thread)
    messages: list[Message] = field(default_factory=list)
    state: MemoryState = field(default_factory=MemoryState)
    counter: Counter = field(default_factory=Counter)
    cycles: dict[str, Cycle] = field(default_factory=dict)
    slots: dict[SlotName, Slot] = field(default_factory=dict)
    entries: dict[str, LorebookEntry] = field(default_factory=dict)
    withdrawn: dict[str, LorebookEntry] = field(default_factory=dict)
    live_import: LiveImport | None = None
    plays_read: PlaysRead = field(default_factory=PlaysRead)

    @property
    def applied(self) -> list[Cycle]:
        """The applied cycles, oldest first."""
        return [self.cycles[one] for one in sorted(self.cycles) if self._is_applied(one)]

    @property
    def standing(self) -> list[Cycle]:
        """The applied cycles that were not rolled back, oldest first; all, where one is missing."""
        applied = self.applied
        try:
            return list(standing(applied, applied[-1].generation if applied else 0).cycles)
        except BrokenChainError:
            return applied

    def _is_applied(self, cycle_id: str) -> bool:
        return self.cycles[cycle_id].status == "applied"


def read_stored(client: Client, key: ThreadKey) -> StoredThread:
    """Read the thread and everything under it."""
    thread = Paths(client).thread(key)
    bodies = {name: _bodies(thread.collection(name)) for name in COLLECTIONS}
    return _assembled(thread.get().to_dict() or {}, bodies)


def read_all_stored(client: Client) -> dict[ThreadKey, StoredThread]:
    """Every thread of the project, in a few queries."""
    bodies: dict[ThreadKey, Collections] = {}
    for name in COLLECTIONS:
        for found in client.collection_group(name).stream():
            owner, uid, _, soul_id, *_ = found.reference.path.split("/")
            if owner == "users":
                of = bodies.setdefault(ThreadKey(uid=uid, soul_id=soul_id), defaultdict(dict))
                of[name][found.id] = found.to_dict() or {}
    threads = {}
    for found in client.collection_group("threads").stream():
        _, uid, _, soul_id = found.reference.path.split("/")
        key = ThreadKey(uid=uid, soul_id=soul_id)
        threads[key] = _assembled(found.to_dict() or {}, bodies.get(key, defaultdict(dict)))
    return threads


def _assembled(thread: dict[str, Any], bodies: Collections) -> StoredThread:
    states, slots = bodies["state"], bodies["slots"]
    messages = [
        decode(Message, "messages", body, message_id=name)
        for name, body in bodies["messages"].items()
    ]
    return StoredThread(
        thread=decode(Thread, "thread", thread),
        messages=sorted(messages, key=lambda one: (one.created_at, one.message_id)),
        state=decode(MemoryState, "state/memory", states.get("memory", {})),
        counter=decode(Counter, "state/counter", states.get("counter", {})),
        cycles={
            name: decode(Cycle, "cycles", body, cycle_id=name)
            for name, body in bodies["cycles"].items()
        },
        slots={name: decode(Slot, "slots", slots[name]) for name in SLOT_NAMES if name in slots},
        entries={
            name: decode(LorebookEntry, "lorebook", body)
            for name, body in bodies["lorebook"].items()
        },
        withdrawn={
            name: decode(LorebookEntry, "withdrawn_entries", body)
            for name, body in bodies["withdrawn_entries"].items()
        },
        live_import=(
            decode(LiveImport, "live/import", bodies["live"]["import"])
            if "import" in bodies["live"]
            else None
        ),
        plays_read=decode(PlaysRead, "state/plays_read", states.get("plays_read", {})),
    )


def read_entries(client: Client, key: ThreadKey, cycle_id: str) -> list[LorebookEntry]:
    """The events that one cycle appended, in order."""
    mine = FieldFilter("cycle_id", "==", cycle_id)
    found = _bodies(Paths(client).lorebook(key).where(filter=mine))
    entries = [decode(LorebookEntry, "lorebook", body) for body in found.values()]
    return sorted(entries, key=lambda one: one.index)


def read_versions(client: Client, key: ThreadKey) -> dict[str, object]:
    """When each document of a thread was last written, by path: equal means nothing was."""
    thread = Paths(client).thread(key)
    found = [one for name in COLLECTIONS for one in thread.collection(name).stream()]
    return {one.reference.path: one.update_time for one in (thread.get(), *found)}


def _bodies(query: Any) -> dict[str, dict[str, Any]]:
    return {one.id: one.to_dict() or {} for one in query.stream()}
