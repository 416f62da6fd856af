"""The `Records` port: all that is kept of one thread's memory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.inspecting.inspect_thread import SeenCycle, ThreadRecord
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client

# Of a cycle's document the fields of SeenCycle: the texts in the others are most of its size.
_SEEN = (
    "kind",
    "status",
    "requested_at",
    "applied_at",
    "attempts",
    "consumed.count",
    "consumed.tokens",
    "episode_play_ids",
    "output.model_answered",
    "output.tokens_in",
    "output.tokens_out",
    "output.latency_ms",
    "output.cost_microdollars",
    "lorebook_entries",
    "failure",
    "set_aside",
    "expires_at",
)


class FirestoreRecords:
    """Reads slots, lorebook, cycles and state as they are stored."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)
        self._memory = FirestoreMemory(client)
        self._threads = FirestoreThreads(client)
        self._lorebook = FirestoreLorebook(client)

    def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord:
        newest = self._newest(key, cycles).select(_SEEN).stream(**bounded(READ_SECONDS))
        return ThreadRecord(
            state=self._memory.read_cycle(key, None).state,
            counter=self._threads.read_counter(key),
            slots=dict(self._memory.read_slots(key)),
            lorebook=tuple(self._lorebook.all_entries(key)),
            cycles=tuple(
                decode(SeenCycle, one.reference.path, one.to_dict() or {}, cycle_id=one.id)
                for one in newest
            ),
        )

    def read_audits(self, key: ThreadKey, *, cycles: int) -> Sequence[Cycle]:
        """The newest cycles whole, the newest first."""
        return [
            decode(Cycle, one.reference.path, one.to_dict() or {}, cycle_id=one.id)
            for one in self._newest(key, cycles).stream(**bounded(READ_SECONDS))
        ]

    def _newest(self, key: ThreadKey, limit: int) -> Any:
        cycles = self._paths.cycles(key)
        return cycles.order_by("requested_at", direction="DESCENDING").limit(limit)

    def slots_before(self, key: ThreadKey, cycle_ids: Sequence[str]) -> Mapping[str, Slots]:
        references = [self._paths.cycle(key, cycle_id) for cycle_id in cycle_ids]
        if not references:
            return {}
        found = self._paths.client.get_all(references, ("before",), **bounded(READ_SECONDS))
        return {
            one.id: decode(Slots, one.reference.path, before)
            for one in found
            if (before := (one.to_dict() or {}).get("before"))
        }
