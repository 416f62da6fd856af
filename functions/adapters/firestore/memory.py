"""The `Memory` port: the fence, cycles and slots, written only if nothing has moved."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode, encode
from functions.adapters.firestore.conditional import put
from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.imports import FirestoreImports
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import StaleClaimError
from shared.model.cycle import Cycle, cycle_id_of
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import CycleRead, MemoryChange

if TYPE_CHECKING:
    from google.cloud.firestore import DocumentSnapshot, WriteBatch
    from google.cloud.firestore_v1.types import WriteResult


class FirestoreMemory(FirestoreImports):
    """`state/memory`, `cycles/*` and `slots/*` of a thread."""

    def read_cycle(self, key: ThreadKey, generation: int | None) -> CycleRead:
        state = self._paths.state(key)
        if generation is None:
            found = state.get(**bounded(READ_SECONDS))
            following = _state(found).generation + 1
            cycle = self._paths.cycle(key, cycle_id_of(following)).get(**bounded(READ_SECONDS))
            return _read(found, cycle)
        cycle_reference = self._paths.cycle(key, cycle_id_of(generation))
        snapshots = {
            snapshot.reference.path: snapshot
            for snapshot in self._client.get_all([state, cycle_reference], **bounded(READ_SECONDS))
        }
        return _read(snapshots[state.path], snapshots[cycle_reference.path])

    def commit(self, key: ThreadKey, read: CycleRead, change: MemoryChange) -> CycleRead:
        """One batch under preconditions. Raises StaleClaimError when something has moved.

        A refusal may be that of our own commit, sent twice since its answer was lost: what is
        stored then is what we meant to write. UserGoneError where a cycle would begin for a user
        whose data was deleted.
        """
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        batch = self._batch(key, read, change)
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            stored = self.read_cycle(key, change.cycle.generation)
            if stored.cycle == change.cycle:
                return stored
            if read.cycle_version is None:
                check_still_here(self._paths, key.uid)
            raise StaleClaimError(f"cycle {change.cycle.cycle_id} has moved on") from error
        return _after(read, change, results)

    def read_slots(self, key: ThreadKey) -> Mapping[SlotName, Slot]:
        references = [self._paths.slot(key, name) for name in SLOT_NAMES]
        found = self._client.get_all(references, **bounded(READ_SECONDS))
        return slots_found(found)

    def write_index(
        self,
        key: ThreadKey,
        read: CycleRead,
        state: MemoryState,
        shards: Mapping[int, bytes],
        embeddings: Mapping[int, bytes],
    ) -> None:
        from google.api_core.exceptions import Conflict, FailedPrecondition

        batch = self._client.batch()
        put(batch, self._paths.state(key), state, read.state_version)
        set_shards(batch, self._paths, key, shards, embeddings)
        only_while_here(batch, self._paths, key.uid)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition) as error:
            check_still_here(self._paths, key.uid)
            if self.read_cycle(key, None).state != state:
                raise StaleClaimError("the fence has moved on") from error

    def _batch(self, key: ThreadKey, read: CycleRead, change: MemoryChange) -> "WriteBatch":
        from google.cloud.firestore import Increment

        batch = self._client.batch()
        cycle = self._paths.cycle(key, change.cycle.cycle_id)
        put(batch, cycle, change.cycle, read.cycle_version, "cycle_id")
        if change.state is not None:
            put(batch, self._paths.state(key), change.state, read.state_version)
        for name, slot in change.slots.items():
            batch.set(self._paths.slot(key, name), encode(slot))
        for entry in change.entries:
            batch.set(self._paths.lorebook(key).document(entry.entry_id), encode(entry))
        set_shards(batch, self._paths, key, change.shards, change.embeddings)
        if change.consumed is not None:
            taken: dict[str, Any] = {field: Increment(-count) for field, count in change.consumed}
            if change.state is not None:
                # What is pending now is younger than the cursor.
                cursor = change.state.cursor
                taken["pending_since"] = int(cursor.created_at.timestamp()) if cursor else 0
            batch.set(self._paths.counter(key), taken, merge=True)
        if change.refused_message_id is not None:
            refused = self._paths.messages(key).document(change.refused_message_id)
            batch.update(refused, {"set_aside_by": change.cycle.cycle_id})
        if change.memory_status is not None:
            batch.update(self._paths.thread(key), {"memory_status": change.memory_status})
        if (held := change.live_import) is not None:
            put(batch, self._paths.live_import(key), held.live, held.version)
        if change.plays_read is not None:
            batch.set(self._paths.plays_read(key), encode(change.plays_read))
        if read.cycle_version is None:
            only_while_here(batch, self._paths, key.uid)
        return batch


def set_shards(
    batch: "WriteBatch",
    paths: Paths,
    key: ThreadKey,
    shards: Mapping[int, bytes],
    embeddings: Mapping[int, bytes],
) -> None:
    """Write shards of the lorebook's index; an empty one is deleted."""
    for place, written in ((paths.shard, shards), (paths.embedding_shard, embeddings)):
        for number, data in written.items():
            if data:
                batch.set(place(key, number), {"data": data})
            else:
                batch.delete(place(key, number))


def slots_found(snapshots: Any) -> dict[SlotName, Slot]:
    """The slots that exist among `snapshots`, by name."""
    by_id = {snapshot.id: snapshot for snapshot in snapshots if snapshot.exists}
    return {
        name: decode(Slot, by_id[name].reference.path, by_id[name].to_dict() or {})
        for name in SLOT_NAMES
        if name in by_id
    }


def _state(snapshot: "DocumentSnapshot[Any]") -> MemoryState:
    return decode(MemoryState, snapshot.reference.path, snapshot.to_dict() or {})


def _read(state: "DocumentSnapshot[Any]", cycle: "DocumentSnapshot[Any]") -> CycleRead:
    found = None
    if cycle.exists:
        found = decode(Cycle, cycle.reference.path, cycle.to_dict() or {}, cycle_id=cycle.id)
    return CycleRead(
        state=_state(state),
        cycle=found,
        state_version=state.update_time if state.exists else None,
        cycle_version=cycle.update_time if cycle.exists else None,
    )


def _after(read: CycleRead, change: MemoryChange, results: "list[WriteResult]") -> CycleRead:
    """What is stored now, with the versions that the commit answered."""
    return CycleRead(
        state=change.state or read.state,
        cycle=change.cycle,
        state_version=results[1].update_time if change.state else read.state_version,
        cycle_version=results[0].update_time,
    )
