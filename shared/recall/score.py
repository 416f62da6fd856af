"""From lanes to candidates: evidence first, then one score (PRD §4.10)."""

from collections.abc import Iterable, Mapping
from heapq import nlargest
from operator import mul
from typing import NamedTuple

from shared.recall.entry import Fields
from shared.recall.index import RecallIndex
from shared.recall.lanes import NAMED, CheapLanes
from shared.recall.query import Lanes, Query
from shared.recall.recall_settings import RecallSettings

# How much of its freshness an entry keeps: fresh, settling, fossilized, deep.
_FRESHNESS = (1.0, 0.6, 0.3, 0.1)
_LOWEST, _HIGHEST = 1, 5


class Candidate(NamedTuple):
    """An entry and what speaks for it."""

    place: int
    fields: Fields
    lanes: Lanes
    score: float


def has_evidence(place: int, lanes: CheapLanes, settings: RecallSettings) -> bool:
    """Whether a keyword calls the entry, the turn names one of its people, or enough of the
    query's grams stand in it, one of more than a syllable among them.

    Entries around it speak for it only within `evidence_width`. Embeddings have no say in this.
    """
    if place in lanes.keyword or lanes.people.get(place) == NAMED:
        return True
    if place not in lanes.spoken_of:
        return False
    least, width = settings.minimum_lexical, settings.evidence_width
    return (
        lanes.lexical[place] >= least
        or lanes.hashed[place] >= settings.minimum_hashed
        or (width >= settings.near_width > 0 and lanes.near[place] >= least)
        or (width >= settings.far_width > 0 and lanes.far[place] >= least)
    )


def freshness(age: int, settings: RecallSettings) -> float:
    """The recency lane for an entry written down `age` turns ago."""
    bounds = (settings.fresh_turns, settings.settling_turns, settings.fossilized_turns)
    return _FRESHNESS[sum(age > bound for bound in bounds)]


class Scoring:
    """The score of every place for one query; `meant` is the semantic lane, where there is one."""

    def __init__(
        self,
        query: Query,
        index: RecallIndex,
        cheap: CheapLanes,
        *,
        meant: Mapping[int, float],
        settings: RecallSettings,
    ) -> None:
        self._query, self._index, self._cheap = query, index, cheap
        self._meant, self._settings = meant, settings
        self._weights = settings.weights.in_order
        self._bounds = (settings.fresh_turns, settings.settling_turns, settings.fossilized_turns)

    def best(self, places: Iterable[int], most: int) -> list[Candidate]:
        """The `most` best of `places`, from the best on; of equal ones the latest first."""
        found = nlargest(most, ((self._score(place), place) for place in places))
        return [
            Candidate(place, self._index.fields[place], self._lanes(place), score)
            for score, place in found
        ]

    def _score(self, place: int) -> float:
        total: float = sum(map(mul, self._weights, self._lanes(place)))
        return total

    def _lanes(self, place: int) -> Lanes:
        cheap, fields = self._cheap, self._index.fields[place]
        return Lanes(
            cheap.keyword.get(place, 0.0),
            cheap.lexical[place],
            cheap.near[place],
            cheap.far[place],
            max(0.0, cheap.hashed[place]),
            self._meant.get(place, 0.0),
            cheap.people.get(place, 0.0),
            (fields.importance - _LOWEST) / (_HIGHEST - _LOWEST),
            freshness(max(0, self._query.turn - fields.turn), self._settings),
        )
