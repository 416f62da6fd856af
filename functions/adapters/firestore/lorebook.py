"""The `Lorebook` port: entries, the latest first in reading, the oldest first in answering."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.model.lorebook import LorebookEntry
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client


class FirestoreLorebook:
    """`lorebook/*` of a thread."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)

    def latest_entries(self, key: ThreadKey, *, limit: int) -> Sequence[LorebookEntry]:
        newest = self._paths.lorebook(key).order_by("created_at", direction="DESCENDING")
        found = newest.limit(limit).stream(**bounded(READ_SECONDS))
        return [decode(LorebookEntry, one.reference.path, one.to_dict() or {}) for one in found][
            ::-1
        ]
