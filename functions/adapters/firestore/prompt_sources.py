"""The `PromptSourceReader` port: eleven documents in one round trip."""

from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.memory import slots_found
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.souls import by_path, director_documents, director_references
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import DocumentNotFoundError
from shared.model.slots import SLOT_NAMES
from shared.model.thread import MemoryState, Thread, ThreadKey
from shared.ports import PromptSources

if TYPE_CHECKING:
    from google.cloud.firestore import Client


class FirestorePromptSources:
    """The director's four documents, the thread, its fence, four slots and first shard."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read_prompt_sources(self, key: ThreadKey) -> PromptSources:
        thread, state = self._paths.thread(key), self._paths.state(key)
        slots = [self._paths.slot(key, name) for name in SLOT_NAMES]
        shard = self._paths.shard(key, 0)
        director = director_references(self._paths, key.soul_id)
        found = by_path(
            self._client.get_all([*director, thread, state, *slots, shard], **bounded(READ_SECONDS))
        )
        documents = director_documents(self._paths, key.soul_id, found)
        if not found[thread.path].exists:
            raise DocumentNotFoundError(thread.path)
        return PromptSources(
            soul_id=key.soul_id,
            director=documents,
            thread=decode(Thread, thread.path, found[thread.path].to_dict() or {}),
            state=decode(MemoryState, state.path, found[state.path].to_dict() or {}),
            slots=slots_found(found[slot.path] for slot in slots),
            first_shard=(found[shard.path].to_dict() or {}).get("data"),
        )
