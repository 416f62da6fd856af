"""The packed lorebook: all that recall needs of every entry, in a few documents of bytes."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain

from shared.errors import RecallIndexError
from shared.recall.entry import Fields, RecallEntry
from shared.recall.keywords import KeywordIndex
from shared.recall.neighbours import Neighbourhood, runs_of
from shared.recall.postings import Posting
from shared.recall.shard import Shard, unpack_shard


class RecallIndex:
    """Every entry of a thread, oldest first, ready to be searched. Never changes.

    Entries are numbered by their place, over all shards.
    """

    def __init__(self, shards: Sequence[Shard] = ()) -> None:
        self.shards = tuple(shards)
        self.fields: tuple[Fields, ...] = tuple(chain(*(shard.fields for shard in shards)))
        self._starts = list(accumulate((len(shard.fields) for shard in shards), initial=0))
        self._neighbourhoods: dict[int, Neighbourhood] = {}

    @classmethod
    def from_entries(cls, entries: Iterable[RecallEntry]) -> "RecallIndex":
        """The index of these entries, oldest first: what a rebuild makes."""
        return cls().appended(entries)

    @classmethod
    def from_shards(
        cls, packed: Iterable[bytes], *, entry_count: int | None = None
    ) -> "RecallIndex":
        """The index that the documents hold, in the order of their numbers.

        Raises RecallIndexError when one is missing, foreign, damaged or of another format, and
        when they do not hold `entry_count` entries (a stale index): the caller rebuilds it.
        """
        shards = sorted((unpack_shard(one) for one in packed), key=lambda shard: shard.number)
        if [shard.number for shard in shards] != list(range(len(shards))):
            raise RecallIndexError("a shard of the index is missing")
        index = cls(shards)
        if entry_count is not None and len(index) != entry_count:
            raise RecallIndexError(f"the index holds {len(index)} entries, not {entry_count}")
        return index

    def packed(self) -> tuple[bytes, ...]:
        """The shards as documents, in the order of their numbers."""
        return tuple(shard.packed() for shard in self.shards)

    def appended(self, entries: Iterable[RecallEntry]) -> "RecallIndex":
        """This index and the entries that it does not have yet. Only the last shard changes."""
        known = {field.entry_id for field in self.fields}
        fresh: dict[str, RecallEntry] = {}
        for entry in entries:
            if entry.entry_id not in known:
                fresh.setdefault(entry.entry_id, entry)
        last = self.shards[-1] if self.shards else Shard.empty(0)
        return RecallIndex((*self.shards[:-1], *_extended(last, list(fresh.values()))))

    def __len__(self) -> int:
        return len(self.fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecallIndex) and self.packed() == other.packed()

    def __hash__(self) -> int:
        return hash(tuple(field.entry_id for field in self.fields))

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each entry, by its id."""
        return {field.entry_id: place for place, field in enumerate(self.fields)}

    @cached_property
    def keywords(self) -> KeywordIndex:
        return KeywordIndex(self.keyword_places)

    @cached_property
    def keyword_places(self) -> dict[str, list[int]]:
        """The places of the entries that have each keyword."""
        return _places_by(field.keywords for field in self.fields)

    @cached_property
    def people(self) -> KeywordIndex:
        return KeywordIndex(self.people_places)

    @cached_property
    def people_places(self) -> dict[str, list[int]]:
        """The places of the entries in which each person takes part."""
        return _places_by(field.people for field in self.fields)

    @cached_property
    def relation_places(self) -> dict[int, list[int]]:
        """The places to which a place is related, whichever of the two says so."""
        found: dict[int, list[int]] = {}
        for place, field in enumerate(self.fields):
            for relation in field.relations:
                target = self.places.get(relation.target)
                if target is not None and target != place:
                    found.setdefault(place, []).append(target)
                    found.setdefault(target, []).append(place)
        return found

    @cached_property
    def lengths(self) -> list[int]:
        """The number of grams of each entry."""
        return list(chain(*(shard.lengths for shard in self.shards)))

    @cached_property
    def _runs(self) -> list[tuple[int, int]]:
        return runs_of([field.cycle_id for field in self.fields])

    def neighbourhood(self, width: int) -> Neighbourhood:
        """Each entry with up to `width` ones before and after it in its cycle."""
        if width not in self._neighbourhoods:
            self._neighbourhoods[width] = Neighbourhood(self._runs, self.lengths, width)
        return self._neighbourhoods[width]

    def postings(self, gram: str) -> list[Posting]:
        """Where `gram` stands, by place."""
        found: list[Posting] = []
        for start, shard in zip(self._starts, self.shards, strict=False):
            own = shard.postings.get(gram)
            found += [(start + place, count) for place, count in own] if start else own
        return found

    def vector(self, place: int) -> bytes:
        """The stored hash vector of the entry at `place`."""
        for start, shard in zip(reversed(self._starts[:-1]), reversed(self.shards), strict=True):
            if place >= start:
                return shard.vector(place - start)
        raise IndexError(place)


def _places_by(names_of_entries: Iterable[tuple[str, ...]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, names in enumerate(names_of_entries):
        for name in dict.fromkeys(names):
            found.setdefault(name, []).append(place)
    return found


def _extended(last: Shard, entries: list[RecallEntry]) -> list[Shard]:
    """`last` with as many of `entries` as it has room for, and new shards with the rest.

    What fits depends on the entries alone, so one append after another gives the same shards.
    """
    if not entries:
        return [last] if last.fields else []
    if last.is_full:
        return [last, *_extended(Shard.empty(last.number + 1), entries)]
    taken = last.room_for(entries)
    return _extended(last.extended(entries[:taken]), entries[taken:])
