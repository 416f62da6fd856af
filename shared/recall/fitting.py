"""The lorebook's index made to fit the entries that are left, or have come back."""

from collections.abc import Sequence

from shared.errors import RecallIndexError
from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Embedder, Lorebook
from shared.recall.embedding import EmbeddingShards, with_vectors
from shared.recall.embedding_shard import EmbeddingShard, unpack_embeddings
from shared.recall.grown_index import GrownIndex
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of

GONE = b""


def fitted_index(
    key: ThreadKey,
    state: MemoryState,
    entries: Sequence[LorebookEntry],
    *,
    lorebook: Lorebook,
    embedder: Embedder | None,
) -> GrownIndex:
    """The shards that differ from those stored, and what the fence says of the whole.

    Made of these entries, all that there are, as a rebuild is. Vectors of entries that stay
    are kept, entries without one are embedded; shards beyond the last are empty, to be deleted.
    """
    index = RecallIndex.from_entries(recall_entries_of(entries))
    packed = index.packed()
    stored = lorebook.read_shards(key, range(state.lorebook_shards))
    embedded = _fitted_embeddings(key, state, entries, lorebook, embedder)
    return GrownIndex(
        shards=_differing(packed, stored, state.lorebook_shards),
        embeddings=embedded.written,
        fence={
            "lorebook_entries": len(index),
            "lorebook_shards": len(packed),
            "embedding_shards": embedded.count,
        },
    )


def _differing(packed: Sequence[bytes], stored: Sequence[bytes], count: int) -> dict[int, bytes]:
    known = dict(enumerate(stored))
    changed = {number: shard for number, shard in enumerate(packed) if known.get(number) != shard}
    return changed | dict.fromkeys(range(len(packed), count), GONE)


def _fitted_embeddings(
    key: ThreadKey,
    state: MemoryState,
    entries: Sequence[LorebookEntry],
    lorebook: Lorebook,
    embedder: Embedder | None,
) -> EmbeddingShards:
    stored = lorebook.read_embeddings(key, range(state.embedding_shards))
    kept = _kept(stored, {one.entry_id for one in entries})
    known = {name for shard in kept for name in shard.vectors}
    fitted = EmbeddingShards(len(kept), kept[-1] if kept else None)
    fitted.written = _differing([shard.packed() for shard in kept], stored, state.embedding_shards)
    return with_vectors(fitted, [one for one in entries if one.entry_id not in known], embedder)


def _kept(stored: Sequence[bytes], entry_ids: set[str]) -> list[EmbeddingShard]:
    """The shards without the entries that left; none where they cannot be read."""
    try:
        shards = [unpack_embeddings(one) for one in stored]
    except RecallIndexError:
        return []
    fitted = [
        shard.model_copy(
            update={"vectors": {n: v for n, v in shard.vectors.items() if n in entry_ids}}
        )
        for shard in shards
    ]
    return [shard for shard in fitted if shard.vectors]
