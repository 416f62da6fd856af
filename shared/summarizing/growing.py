"""The lorebook's index grows with it: the shards that change ride in the cycle's own commit."""

from collections.abc import Sequence

from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Embedder, Lorebook
from shared.recall.embedding import embed_entries
from shared.recall.grown_index import GrownIndex
from shared.recall.loading import index_from, recall_entries_of


def grown_index(
    key: ThreadKey,
    state: MemoryState,
    entries: Sequence[LorebookEntry],
    *,
    lorebook: Lorebook,
    embedder: Embedder | None,
) -> GrownIndex:
    """The index with this cycle's entries: only the last shard changes, or new ones follow it.

    An index that cannot be used is made anew from all entries, and written whole.
    """
    stored = lorebook.read_shards(key, range(state.lorebook_shards))
    index = index_from(stored, state, lambda: lorebook.all_entries(key))
    grown = index.appended(recall_entries_of(entries))
    packed = grown.packed()
    known = dict(enumerate(stored))
    embedded = embed_entries(entries, state, key, lorebook=lorebook, embedder=embedder)
    return GrownIndex(
        shards={number: shard for number, shard in enumerate(packed) if known.get(number) != shard},
        embeddings=embedded.written,
        fence={
            "lorebook_entries": len(grown),
            "lorebook_shards": len(packed),
            "embedding_shards": embedded.count,
        },
    )
