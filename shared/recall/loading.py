"""A thread's index, from its shards; from the entries themselves where those cannot be used."""

from collections.abc import Callable, Iterable, Sequence

from shared.errors import RecallIndexError
from shared.latest import Latest
from shared.model.lorebook import LorebookEntry
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Lorebook
from shared.recall.entry import RecallEntry, Relation, RelationKind, Secrecy
from shared.recall.index import RecallIndex

REMEMBERED = 32


class RecallIndexes:
    """Loads indexes, and remembers the last few: one changes only with generation and revision."""

    def __init__(self, lorebook: Lorebook) -> None:
        self.lorebook = lorebook
        self._known: Latest[ThreadKey, tuple[tuple[int, int], RecallIndex]] = Latest(REMEMBERED)

    def index_of(
        self, key: ThreadKey, state: MemoryState, first_shard: bytes | None
    ) -> RecallIndex:
        """The index of the lorebook as of `state`; a missing, stale or foreign one is rebuilt.

        `first_shard` was read with everything else; further ones are read here, if there are any.
        """
        known = self._known.get(key)
        written = (state.generation, state.revision)
        if known is None or known[0] != written:
            known = (written, self._load(key, state, first_shard))
        return self._known.put(key, known)[1]

    def _load(self, key: ThreadKey, state: MemoryState, first_shard: bytes | None) -> RecallIndex:
        if not state.generation or state.lorebook_entries == 0:
            return RecallIndex()
        further = range(1, state.lorebook_shards)
        rest = self.lorebook.read_shards(key, further) if further else ()
        return index_from(
            [] if first_shard is None else [first_shard, *rest],
            state,
            lambda: self.lorebook.all_entries(key),
        )


def index_from(
    shards: Sequence[bytes], state: MemoryState, entries: Callable[[], Iterable[LorebookEntry]]
) -> RecallIndex:
    """The index in `shards`, if it holds as many entries as the fence says; else made anew."""
    try:
        if state.lorebook_entries is None:
            raise RecallIndexError("the fence does not say how many entries there are")
        return RecallIndex.from_shards(shards, entry_count=state.lorebook_entries)
    except RecallIndexError:
        return RecallIndex.from_entries(recall_entries_of(entries()))


def recall_entries_of(entries: Iterable[LorebookEntry]) -> list[RecallEntry]:
    """Stored entries as the index takes them, oldest first."""
    return [_recall_entry(one) for one in sorted(entries, key=lambda one: one.entry_id)]


def _recall_entry(entry: LorebookEntry) -> RecallEntry:
    return RecallEntry(
        entry_id=entry.entry_id,
        cycle_id=entry.cycle_id,
        turn=entry.turn,
        title=entry.title,
        keywords=entry.keywords,
        record=entry.record,
        kind=entry.kind or "",
        importance=entry.importance,
        people=entry.people,
        relations=tuple(
            Relation(kind=RelationKind(one.kind), target=one.entry_id) for one in entry.relations
        ),
        secrecy=Secrecy(entry.secrecy.replace("-", "_")),
    )
