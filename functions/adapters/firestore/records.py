"""The `Records` port: all that is kept of one thread's memory."""

from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.inspecting.inspect_thread import ThreadRecord
from shared.model.cycle import Cycle
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client


class FirestoreRecords:
    """Reads slots, lorebook, cycles and state as they are stored."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)
        self._memory = FirestoreMemory(client)
        self._threads = FirestoreThreads(client)
        self._lorebook = FirestoreLorebook(client)

    def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord:
        newest = (
            self._paths.cycles(key)
            .order_by("requested_at", direction="DESCENDING")
            .limit(cycles)
            .stream(**bounded(READ_SECONDS))
        )
        return ThreadRecord(
            state=self._memory.read_cycle(key, None).state,
            counter=self._threads.read_counter(key),
            slots=dict(self._memory.read_slots(key)),
            lorebook=tuple(self._lorebook.all_entries(key)),
            cycles=tuple(
                decode(Cycle, one.reference.path, one.to_dict() or {}, cycle_id=one.id)
                for one in newest
            ),
        )
