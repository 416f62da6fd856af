"""The optional semantic lane: vectors kept beside the index, and one made for each turn."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from shared.errors import ModelError, RecallIndexError
from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Embedder, Lorebook
from shared.recall.embedding_shard import (
    EmbeddingShard,
    entry_embeddings,
    unpack_embeddings,
    with_embeddings,
)
from shared.recall.semantic import EntryEmbeddings, QueryEmbedding, Semantic

REMEMBERED = 32
AT_ONCE = 100
NO_ENTRIES = EntryEmbeddings(model="", dimensions=0, vectors={})


class SemanticLane:
    """What the lane needs for one turn; without an embedder there is no lane."""

    def __init__(self, lorebook: Lorebook, embedder: Embedder | None) -> None:
        self._lorebook = lorebook
        self._embedder = embedder
        self._known: OrderedDict[ThreadKey, tuple[tuple[int, int], EntryEmbeddings]] = OrderedDict()

    def semantic_of(self, key: ThreadKey, state: MemoryState, text: str) -> Semantic | None:
        """Both sides of the lane for this turn; where it is off, it says why and costs no more
        than the embedder's own deadline.
        """
        if self._embedder is None or not state.embedding_shards or not text.strip():
            return None
        try:
            entries = self._entries(key, state)
        except RecallIndexError as error:
            return Semantic(entries=NO_ENTRIES, query=None, off=str(error))
        try:
            made = self._embedder.embed([text])
        except ModelError as error:
            return Semantic(entries=entries, query=None, off=f"no embedding: {error}")
        return Semantic(
            entries=entries, query=QueryEmbedding(model=made.model, values=made.vectors[0])
        )

    def _entries(self, key: ThreadKey, state: MemoryState) -> EntryEmbeddings:
        written = (state.generation, state.revision)
        known, entries = self._known.pop(key, ((-1, -1), NO_ENTRIES))
        if known != written:
            packed = self._lorebook.read_embeddings(key, range(state.embedding_shards))
            entries = entry_embeddings(packed)
        self._known[key] = (written, entries)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return entries


@dataclass(slots=True)
class EmbeddingShards:
    """Shards to write, by number, as vectors are added to those that are stored."""

    count: int
    last: EmbeddingShard | None
    written: dict[int, bytes] = field(default_factory=dict)

    def add(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        is_new, self.last = with_embeddings(self.last, model, vectors)
        self.count += is_new
        self.written[self.count - 1] = self.last.packed()


def embed_entries(
    entries: Sequence[LorebookEntry],
    state: MemoryState,
    key: ThreadKey,
    *,
    lorebook: Lorebook,
    embedder: Embedder | None,
    anew: bool = False,
) -> EmbeddingShards:
    """The shards with these entries' vectors; `anew` forgets what is stored.

    An embedder that fails leaves the rest without a vector: the lane has nothing to say of them.
    """
    shards = EmbeddingShards(0, None) if anew else _stored(key, state, lorebook)
    return with_vectors(shards, entries, embedder)


def with_vectors(
    shards: EmbeddingShards, entries: Sequence[LorebookEntry], embedder: Embedder | None
) -> EmbeddingShards:
    """These entries' vectors behind those of `shards`; as many as an embedder answers for."""
    if embedder is None:
        return shards
    for some in _batches(entries):
        try:
            made = embedder.embed([f"{one.title}\n{one.record}" for one in some])
        except ModelError:
            break
        ids = [one.entry_id for one in some]
        shards.add(made.model, dict(zip(ids, made.vectors, strict=True)))
    return shards


def _stored(key: ThreadKey, state: MemoryState, lorebook: Lorebook) -> EmbeddingShards:
    count = state.embedding_shards
    found = lorebook.read_embeddings(key, [count - 1]) if count else ()
    try:
        return EmbeddingShards(count, unpack_embeddings(found[0]) if found else None)
    except RecallIndexError:
        return EmbeddingShards(count, None)


def _batches(entries: Sequence[LorebookEntry]) -> Iterator[Sequence[LorebookEntry]]:
    for start in range(0, len(entries), AT_ONCE):
        yield entries[start : start + AT_ONCE]
