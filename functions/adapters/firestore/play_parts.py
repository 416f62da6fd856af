"""The `PlayParts` port: what is left of a play that was deleted."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentSnapshot

PARTS = ("summaries", "scenes")


class FirestorePlayParts:
    """`summaries` and `scenes` under `users/{uid}/plays/{play_id}`."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def is_there(self, uid: str, play_id: str) -> bool:
        play = self._paths.plays(uid).document(play_id)
        return bool(play.get(["episode_id"], **bounded(READ_SECONDS)).exists)

    def delete_parts(self, uid: str, play_id: str, *, until: datetime, limit: int) -> int:
        """One commit. A part that is written meanwhile refuses it, and the next try looks again."""
        from google.cloud.firestore import LastUpdateOption

        batch = self._client.batch()
        found = list(islice(self._old(uid, play_id, until), limit))
        for part in found:
            batch.delete(part.reference, option=LastUpdateOption(part.update_time))
        if found:
            batch.commit(**bounded(COMMIT_SECONDS))
        return len(found)

    def _old(self, uid: str, play_id: str, until: datetime) -> "Iterator[DocumentSnapshot[Any]]":
        """Names and times alone: what stands in a part is not read."""
        play = self._paths.plays(uid).document(play_id)
        for name in PARTS:
            parts: Any = play.collection(name).select(["__name__"])
            for part in parts.stream(**bounded(READ_SECONDS)):
                if part.update_time <= until:
                    yield part
