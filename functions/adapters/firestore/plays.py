"""The `Plays` port: what the game recorded, read and never written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.model.play import NO_SUMMARY, Play, PlaySummary, Scene

if TYPE_CHECKING:
    from google.cloud.firestore import Client

M = TypeVar("M", bound=BaseModel)
MAX_PARTS = 2_000


class FirestorePlays:
    """`users/{uid}/plays/{play_id}` with its summaries and scenes."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)

    def list_plays(self, uid: str) -> Sequence[Play]:
        return [
            decode(Play, found.reference.path, found.to_dict() or {}, play_id=found.id)
            for found in self._paths.plays(uid).stream(**bounded(READ_SECONDS))
        ]

    def summaries(self, uid: str, play_id: str) -> Sequence[PlaySummary]:
        return self._parts(PlaySummary, uid, play_id, "summaries")

    def scenes(self, uid: str, play_id: str) -> Sequence[Scene]:
        return self._parts(Scene, uid, play_id, "scenes")

    def last_summary(self, uid: str, play_id: str) -> int:
        parts = self._paths.plays(uid).document(play_id).collection("summaries")
        newest = parts.order_by("index", direction="DESCENDING").limit(1)
        found = newest.stream(**bounded(READ_SECONDS))
        return max((one.get("index") for one in found), default=NO_SUMMARY)

    def _parts(self, model: type[M], uid: str, play_id: str, name: str) -> list[M]:
        parts = self._paths.plays(uid).document(play_id).collection(name)
        found = parts.order_by("index").limit(MAX_PARTS).stream(**bounded(READ_SECONDS))
        return [decode(model, one.reference.path, one.to_dict() or {}) for one in found]
