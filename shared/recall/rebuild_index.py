"""Make a thread's index anew from its entries: the index is a cache of them."""

from shared.model.base import Frozen
from shared.model.thread import ThreadKey
from shared.ports import Embedder, Lorebook, Memory
from shared.recall.embedding import embed_entries
from shared.recall.fitting import GONE
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of


class IndexRebuilt(Frozen):
    """How much the new index holds."""

    entries: int
    shards: int


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
    index = RecallIndex.from_entries(recall_entries_of(entries))
    packed = index.packed()
    embedded = embed_entries(
        entries, read.state, key, lorebook=lorebook, embedder=embedder, anew=True
    )
    fence = {
        "lorebook_entries": len(index),
        "lorebook_shards": len(packed),
        "embedding_shards": embedded.count,
        "revision": read.state.revision + 1,
    }
    state = read.state.model_copy(update=fence)
    surplus = dict.fromkeys(range(len(packed), read.state.lorebook_shards), GONE)
    memory.write_index(key, read, state, dict(enumerate(packed)) | surplus, embedded.written)
    return IndexRebuilt(entries=len(index), shards=len(packed))
