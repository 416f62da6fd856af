"""The `Imports` part of the `Memory` port: `live/import`, and what memory has read of plays."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.conditional import put
from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import StaleClaimError
from shared.model.cycle import Cycle
from shared.model.memory_import import LiveImport, PlaysRead
from shared.model.thread import ThreadKey
from shared.ports import HeldImport

if TYPE_CHECKING:
    from google.cloud.firestore import Client

SEEDS = 4  # a thread has one, or two where a late one came after a failure


class FirestoreImports:
    """`live/import`, `state/plays_read` and the seeds of a thread."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read_import(self, key: ThreadKey) -> HeldImport | None:
        reference = self._paths.live_import(key)
        found = reference.get(**bounded(READ_SECONDS))
        if not found.exists:
            return None
        live = decode(LiveImport, reference.path, found.to_dict() or {})
        return HeldImport(live=live, version=found.update_time)

    def write_import(self, key: ThreadKey, held: HeldImport) -> None:
        """A refusal may be that of our own commit, sent twice since its answer was lost."""
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        batch = self._client.batch()
        put(batch, self._paths.live_import(key), held.live, held.version)
        if held.version is None:
            only_while_here(batch, self._paths, key.uid)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            if held.version is None:
                check_still_here(self._paths, key.uid)
            stored = self.read_import(key)
            if stored is None or stored.live != held.live:
                raise StaleClaimError("another import has begun") from error

    def read_plays_read(self, key: ThreadKey) -> PlaysRead | None:
        reference = self._paths.plays_read(key)
        found = reference.get(**bounded(READ_SECONDS))
        return decode(PlaysRead, reference.path, found.to_dict() or {}) if found.exists else None

    def applied_seeds(self, key: ThreadKey) -> Sequence[Cycle]:
        from google.cloud.firestore import FieldFilter

        seeds = self._paths.cycles(key).where(filter=FieldFilter("kind", "==", "seed"))
        applied = seeds.where(filter=FieldFilter("status", "==", "applied")).limit(SEEDS)
        return [
            decode(Cycle, one.reference.path, one.to_dict() or {}, cycle_id=one.id)
            for one in applied.stream(**bounded(READ_SECONDS))
        ]
