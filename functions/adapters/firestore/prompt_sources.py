"""The `PromptSourceReader` port: twelve documents in one round trip, seven of a chat it knows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from functions.adapters.aside import aside
from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.memory import slots_found
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.souls import by_path, director_documents, director_references
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import DocumentNotFoundError
from shared.latest import Latest
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import MemoryState, Message, Thread, ThreadKey
from shared.ports import PromptSources

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference, DocumentSnapshot

REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a cycle wrote last, with the fence of the same commit."""

    fence_time: object
    fence: MemoryState
    slots: Mapping[SlotName, Slot]
    first_shard: bytes | None


class FirestorePromptSources:
    """The director's four documents, thread, fence and tombstone; four slots and the first shard.

    Slots and shards are written in one commit with the fence, so those of the chats of the last
    while are remembered, and read again in a second round trip once the fence has been written.
    Where the live window of such a chat begins is known as well, so it is read at the same time;
    in a chat that has no fence yet, it begins with the first message.
    """

    def __init__(self, client: "Client", *, window_messages: int) -> None:
        """`window_messages`: most messages of the live window that are read along."""
        self._client = client
        self._paths = Paths(client)
        self._threads = FirestoreThreads(client)
        self._window_messages = window_messages
        self._known: Latest[ThreadKey, _Memory] = Latest(REMEMBERED)

    def read_prompt_sources(self, key: ThreadKey) -> PromptSources:
        thread, state = self._paths.thread(key), self._paths.state(key)
        director = director_references(self._paths, key.soul_id)
        known = self._known.get(key)
        is_fenced = known is not None and known.fence_time is not None
        memory = [] if is_fenced else self._memory_references(key)
        window = self._read_along(key, known) if known else None
        gone = self._paths.deletion(key.uid)
        found = self._read([*director, thread, state, gone, *memory])
        documents = director_documents(self._paths, key.soul_id, found)
        if not found[thread.path].exists or found[gone.path].exists:
            raise DocumentNotFoundError(thread.path)
        fence = found[state.path]
        if known is None or known.fence_time != fence.update_time:
            window = None
            if is_fenced:
                memory = self._memory_references(key)
                found |= self._read(memory)
        if known is None or memory:
            known = self._known.put(key, self._memory(key, fence, found))
        return PromptSources(
            soul_id=key.soul_id,
            director=documents,
            thread=decode(Thread, thread.path, found[thread.path].to_dict() or {}),
            state=known.fence,
            slots=known.slots,
            first_shard=known.first_shard,
            window=window() if window else None,
        )

    def _read_along(self, key: ThreadKey, known: _Memory) -> Callable[[], Sequence[Message]]:
        return aside(
            lambda: self._threads.latest_messages(
                key, known.fence.window_start, limit=self._window_messages
            )
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
            fence=decode(MemoryState, fence.reference.path, fence.to_dict() or {}),
            slots=slots_found(found[self._paths.slot(key, name).path] for name in SLOT_NAMES),
            first_shard=(found[self._paths.shard(key, 0).path].to_dict() or {}).get("data"),
        )
