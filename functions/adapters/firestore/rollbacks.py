"""The `Rollbacks` port: a thread's past, and entries between `lorebook` and `withdrawn_entries`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode, encode
from functions.adapters.firestore.counters import FirestoreCounters
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import StaleClaimError
from shared.model.cycle import Cycle, cycle_id_of
from shared.model.lorebook import LorebookEntry
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.ports import CycleRead
from shared.rolling_back.rollback_ports import PlacedEntries

if TYPE_CHECKING:
    from google.cloud.firestore import Client, CollectionReference, WriteBatch

ENTRIES_AT_ONCE = 200  # two writes each; Firestore once took 500 in a commit, and 10 MiB still
WITHDRAWN_BY = "withdrawn_by"
_PAST = (
    "kind",
    "status",
    "requested_at",
    "rolled_back_to",
    "plays_read",
    *(f"consumed.{name}" for name in "first last count tokens readable turns window_start".split()),
)


class FirestoreRollbacks:
    """Reads `cycles/*`, and moves entries with the record of the cycle that moves them."""

    def __init__(self, client: "Client", *, entries_at_once: int = ENTRIES_AT_ONCE) -> None:
        self._client = client
        self._paths = Paths(client)
        self._memory = FirestoreMemory(client)
        self._counters = FirestoreCounters(client)
        self.entries_at_once = entries_at_once

    def past_cycles(self, key: ThreadKey, until: int) -> Sequence[Cycle]:
        from google.cloud.firestore import FieldFilter

        cycles = self._paths.cycles(key)
        bound = FieldFilter("__name__", "<=", cycles.document(cycle_id_of(until)))
        found = cycles.where(filter=bound).select(_PAST).stream(**bounded(READ_SECONDS))
        return [_cycle(one) for one in found]

    def find_asked(self, key: ThreadKey, request_id: str) -> Cycle | None:
        from google.cloud.firestore import FieldFilter

        mine = FieldFilter("rollback.request_id", "==", request_id)
        query = self._paths.cycles(key).where(filter=mine).limit(1)
        return next((_cycle(one) for one in query.stream(**bounded(READ_SECONDS))), None)

    def placed_entries(self, key: ThreadKey) -> PlacedEntries:
        return PlacedEntries(
            active=_cycles_of(self._paths.lorebook(key)),
            withdrawn=_cycles_of(self._paths.withdrawn_entries(key)),
        )

    def withdrawn_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        """What rollbacks have taken out of the lorebook, oldest first."""
        found = self._paths.withdrawn_entries(key).stream(**bounded(READ_SECONDS))
        entries = [decode(LorebookEntry, one.reference.path, one.to_dict() or {}) for one in found]
        return sorted(entries, key=lambda one: one.entry_id)

    def move_entries(
        self,
        key: ThreadKey,
        read: CycleRead,
        cycle: Cycle,
        *,
        leaving: Sequence[str],
        returning: Sequence[str],
    ) -> CycleRead:
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound
        from google.cloud.firestore import LastUpdateOption

        lorebook, withdrawn = self._paths.lorebook(key), self._paths.withdrawn_entries(key)
        batch = self._client.batch()
        batch.update(
            self._paths.cycle(key, cycle.cycle_id),
            encode(cycle, "cycle_id"),
            option=LastUpdateOption(read.cycle_version),
        )
        self._move(batch, lorebook, withdrawn, leaving, {WITHDRAWN_BY: cycle.cycle_id})
        self._move(batch, withdrawn, lorebook, returning, {})
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            # Perhaps our own commit, sent twice since its answer was lost.
            stored = self._memory.read_cycle(key, cycle.generation)
            if stored.cycle == cycle:
                return stored
            raise StaleClaimError(f"cycle {cycle.cycle_id} has moved on") from error
        moved = {"cycle": cycle, "cycle_version": results[0].update_time}
        return read.model_copy(update=moved)

    def counted_between(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter:
        return self._counters.counted_between(key, after, until)

    def _move(
        self,
        batch: "WriteBatch",
        source: "CollectionReference",
        goal: "CollectionReference",
        names: Sequence[str],
        more: Mapping[str, object],
    ) -> None:
        """Bodies move as they are stored, whatever fields they have; deletes name the version."""
        from google.cloud.firestore import LastUpdateOption

        if not names:
            return
        references = [source.document(name) for name in names]
        for found in self._client.get_all(references, **bounded(READ_SECONDS)):
            if found.exists:
                body: dict[str, Any] = found.to_dict() or {}
                body.pop(WITHDRAWN_BY, None)
                batch.set(goal.document(found.id), {**body, **more})
                batch.delete(found.reference, option=LastUpdateOption(found.update_time))


def _cycle(snapshot: Any) -> Cycle:
    body = snapshot.to_dict() or {}
    return decode(Cycle, snapshot.reference.path, body, cycle_id=snapshot.id)


def _cycles_of(entries: "CollectionReference") -> dict[str, str]:
    """The cycle that wrote each entry, by the entry's id."""
    found = entries.select(["cycle_id"]).stream(**bounded(READ_SECONDS))
    return {one.id: one.get("cycle_id") for one in found}
