"""The `Lorebook` port: entries, and the packed index of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.model.lorebook import LorebookEntry
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference


class FirestoreLorebook:
    """`lorebook/*` and `lorebook_index/*` of a thread."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read_entries(self, key: ThreadKey, entry_ids: Sequence[str]) -> Sequence[LorebookEntry]:
        references = [self._paths.lorebook(key).document(name) for name in entry_ids]
        found = self._client.get_all(references, **bounded(READ_SECONDS))
        return [
            decode(LorebookEntry, one.reference.path, one.to_dict() or {})
            for one in found
            if one.exists
        ]

    def all_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        ordered = self._paths.lorebook(key).order_by("created_at")
        found = ordered.stream(**bounded(READ_SECONDS))
        return [decode(LorebookEntry, one.reference.path, one.to_dict() or {}) for one in found]

    def read_shards(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        return self._bytes([self._paths.shard(key, number) for number in numbers])

    def read_embeddings(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        return self._bytes([self._paths.embedding_shard(key, number) for number in numbers])

    def _bytes(self, references: "Sequence[DocumentReference]") -> list[bytes]:
        """The data of those that exist, in the order asked for."""
        if not references:
            return []
        found = self._client.get_all(list(references), **bounded(READ_SECONDS))
        by_id = {one.id: (one.to_dict() or {}).get("data") for one in found}
        read = [by_id.get(reference.id) for reference in references]
        return [data for data in read if isinstance(data, bytes)]
