"""From lanes to candidates: evidence first, then one score (PRD §4.10)."""

from collections.abc import Iterable
from typing import NamedTuple

from shared.recall.entry import Fields
from shared.recall.index import RecallIndex
from shared.recall.lanes import CheapLanes
from shared.recall.query import Lanes, Query
from shared.recall.recall_settings import RecallSettings, RecallWeights

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
    """Whether a keyword calls the entry, or enough of the query's grams stand in or around it.

    Embeddings have no say in this.
    """
    return (
        place in lanes.keyword
        or lanes.lexical[place] >= settings.minimum_lexical
        or lanes.near[place] >= settings.minimum_lexical
        or lanes.far[place] >= settings.minimum_lexical
        or lanes.hashed[place] >= settings.minimum_hashed
    )


def freshness(age: int, settings: RecallSettings) -> float:
    """The recency lane for an entry written down `age` turns ago."""
    bounds = (settings.fresh_turns, settings.settling_turns, settings.fossilized_turns)
    return _FRESHNESS[sum(age > bound for bound in bounds)]


def scored(
    places: Iterable[int],
    *,
    query: Query,
    index: RecallIndex,
    cheap: CheapLanes,
    semantic: dict[int, float],
    settings: RecallSettings,
) -> list[Candidate]:
    """Candidates from the best to the worst; of equal ones the latest first."""
    found = []
    for place in places:
        fields = index.fields[place]
        lanes = _lanes(place, fields, cheap)._replace(
            semantic=semantic.get(place, 0.0),
            recency=freshness(max(0, query.turn - fields.turn), settings),
        )
        found.append(Candidate(place, fields, lanes, total(lanes, settings.weights)))
    return sorted(found, key=lambda one: (-one.score, -one.place))


def _lanes(place: int, fields: Fields, cheap: CheapLanes) -> Lanes:
    return Lanes(
        keyword=cheap.keyword.get(place, 0.0),
        lexical=cheap.lexical[place],
        near=cheap.near[place],
        far=cheap.far[place],
        hashed=max(0.0, cheap.hashed[place]),
        people=cheap.people.get(place, 0.0),
        importance=(fields.importance - _LOWEST) / (_HIGHEST - _LOWEST),
    )


def total(lanes: Lanes, weights: RecallWeights) -> float:
    """The weighted sum of the lanes."""
    return (
        weights.keyword * lanes.keyword
        + weights.lexical * lanes.lexical
        + weights.near * lanes.near
        + weights.far * lanes.far
        + weights.hashed * lanes.hashed
        + weights.semantic * lanes.semantic
        + weights.people * lanes.people
        + weights.importance * lanes.importance
        + weights.recency * lanes.recency
    )
