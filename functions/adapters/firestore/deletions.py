"""The `Deletions` port: `deletions/{uid}`, the tombstones."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode, encode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.model.deletion import Deletion

if TYPE_CHECKING:
    from google.cloud.firestore import Client


class FirestoreDeletions:
    """No client reads or writes them. One that is deleted by hand opens its uid again."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read(self, uid: str) -> Deletion | None:
        reference = self._paths.deletion(uid)
        found = reference.get(**bounded(READ_SECONDS))
        return decode(Deletion, reference.path, found.to_dict() or {}) if found.exists else None

    def begin(self, uid: str, deletion: Deletion) -> Deletion:
        from google.api_core.exceptions import Conflict

        stands = self.read(uid)
        while stands is None:
            try:
                self._paths.deletion(uid).create(encode(deletion), **bounded(COMMIT_SECONDS))
                return deletion
            except Conflict:  # another call's, or our own, sent twice since its answer was lost
                stands = self.read(uid)
        return stands

    def add(self, uid: str, *, documents: int, files: int) -> None:
        """Counted again where the answer is lost: a figure for people, and nothing rests on it."""
        from google.cloud.firestore import Increment

        counted: dict[str, Any] = {"documents": Increment(documents), "files": Increment(files)}
        self._paths.deletion(uid).update(counted, **bounded(COMMIT_SECONDS))

    def finish(self, uid: str, *, finished_at: datetime, look_at: datetime) -> None:
        times = {"finished_at": finished_at, "look_at": look_at}
        self._paths.deletion(uid).update(times, **bounded(COMMIT_SECONDS))

    def due(self, now: datetime, *, limit: int) -> Sequence[str]:
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection("deletions")
        query = query.where(filter=FieldFilter("look_at", "<=", now)).order_by("look_at")
        return [one.id for one in query.limit(limit).stream(**bounded(READ_SECONDS))]
