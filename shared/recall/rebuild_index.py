"""Make a thread's index anew from its entries: the index is a cache of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.model.base import Frozen
from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Embedder, Lorebook, Memory
from shared.recall.embedding import embed_entries
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of


class IndexRebuilt(Frozen):
    """How much the new index holds."""

    entries: int
    shards: int


@dataclass(frozen=True, slots=True)
class NewIndex:
    """The shards to write, by number, and the fence that goes with them."""

    shards: dict[int, bytes]
    embeddings: dict[int, bytes]
    state: MemoryState


def index_anew(
    key: ThreadKey,
    state: MemoryState,
    entries: Sequence[LorebookEntry],
    *,
    lorebook: Lorebook,
    embedder: Embedder | None,
) -> NewIndex:
    """The index of these entries and no others; embedded anew where there is an embedder."""
    index = RecallIndex.from_entries(recall_entries_of(entries))
    packed = index.packed()
    embedded = embed_entries(entries, state, key, lorebook=lorebook, embedder=embedder, anew=True)
    fence = {
        "lorebook_entries": len(index),
        "lorebook_shards": len(packed),
        "embedding_shards": embedded.count,
    }
    return NewIndex(
        shards=dict(enumerate(packed)),
        embeddings=embedded.written,
        state=state.model_copy(update=fence),
    )


def rebuild_index(
    key: ThreadKey, *, memory: Memory, lorebook: Lorebook, embedder: Embedder | None
) -> IndexRebuilt:
    """Read all entries, and write the shards and what the fence says of them in one commit.

    Entries are embedded anew where there is an embedder. A cycle under way begins anew, and an
    instance that remembers the old index reads it again: the fence's revision moves on.

    Raises StaleClaimError when a cycle moves the fence meanwhile: run it again.
    """
    read = memory.read_cycle(key, None)
    entries = lorebook.all_entries(key)
    made = index_anew(key, read.state, entries, lorebook=lorebook, embedder=embedder)
    state = made.state.model_copy(update={"revision": read.state.revision + 1})
    memory.write_index(key, read, state, made.shards, made.embeddings)
    return IndexRebuilt(entries=len(entries), shards=len(made.shards))
