"""The `PromptSourceReader` port: eleven documents in one round trip, six of a chat it knows."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.memory import slots_found
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.souls import by_path, director_documents, director_references
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import DocumentNotFoundError
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import MemoryState, Thread, ThreadKey
from shared.ports import PromptSources

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference, DocumentSnapshot

REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a cycle wrote last, with the fence of the same commit."""

    fence_time: object
    slots: Mapping[SlotName, Slot]
    first_shard: bytes | None


class FirestorePromptSources:
    """The director's four documents, the thread and its fence; four slots and the first shard.

    Slots and shards are written in one commit with the fence, so those of the chats of the last
    while are remembered, and read again in a second round trip once the fence has been written.
    """

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)
        self._known: OrderedDict[ThreadKey, _Memory] = OrderedDict()

    def read_prompt_sources(self, key: ThreadKey) -> PromptSources:
        thread, state = self._paths.thread(key), self._paths.state(key)
        director = director_references(self._paths, key.soul_id)
        known = self._known.pop(key, None)
        memory = [] if known else self._memory_references(key)
        found = self._read([*director, thread, state, *memory])
        documents = director_documents(self._paths, key.soul_id, found)
        if not found[thread.path].exists:
            raise DocumentNotFoundError(thread.path)
        fence = found[state.path]
        if known is None:
            known = self._memory(key, fence, found)
        elif known.fence_time != fence.update_time:
            known = self._memory(key, fence, self._read(self._memory_references(key)))
        if fence.exists:
            self._remember(key, known)
        return PromptSources(
            soul_id=key.soul_id,
            director=documents,
            thread=decode(Thread, thread.path, found[thread.path].to_dict() or {}),
            state=decode(MemoryState, state.path, fence.to_dict() or {}),
            slots=known.slots,
            first_shard=known.first_shard,
        )

    def _read(self, references: "list[DocumentReference]") -> "dict[str, DocumentSnapshot[Any]]":
        return by_path(self._client.get_all(references, **bounded(READ_SECONDS)))

    def _memory_references(self, key: ThreadKey) -> "list[DocumentReference]":
        slots = [self._paths.slot(key, name) for name in SLOT_NAMES]
        return [*slots, self._paths.shard(key, 0)]

    def _memory(
        self,
        key: ThreadKey,
        fence: "DocumentSnapshot[Any]",
        found: "Mapping[str, DocumentSnapshot[Any]]",
    ) -> _Memory:
        return _Memory(
            fence_time=fence.update_time,
            slots=slots_found(found[self._paths.slot(key, name).path] for name in SLOT_NAMES),
            first_shard=(found[self._paths.shard(key, 0).path].to_dict() or {}).get("data"),
        )

    def _remember(self, key: ThreadKey, memory: _Memory) -> None:
        self._known[key] = memory
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
