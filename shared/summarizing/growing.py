"""The lorebook's index grows with it: the shards that change ride in the cycle's own commit."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Lorebook
from shared.recall.loading import index_from, recall_entries_of


@dataclass(frozen=True, slots=True)
class GrownIndex:
    """The shards to write, by number, and what the fence says of the whole."""

    shards: dict[int, bytes]
    fence: dict[str, int]


def grown_index(
    key: ThreadKey, state: MemoryState, entries: Sequence[LorebookEntry], *, lorebook: Lorebook
) -> GrownIndex:
    """The index with this cycle's entries: only the last shard changes, or new ones follow it.

    An index that cannot be used is made anew from all entries, and written whole.
    """
    stored = lorebook.read_shards(key, range(state.lorebook_shards))
    index = index_from(stored, state, lambda: lorebook.all_entries(key))
    grown = index.appended(recall_entries_of(entries))
    packed = grown.packed()
    known = dict(enumerate(stored))
    return GrownIndex(
        shards={number: shard for number, shard in enumerate(packed) if known.get(number) != shard},
        fence={"lorebook_entries": len(grown), "lorebook_shards": len(packed)},
    )
