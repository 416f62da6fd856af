"""Every lane of one query over the whole index."""

from collections.abc import Sequence
from itertools import chain
from math import log

from shared.recall.hash_vectors import cosines, query_vector
from shared.recall.index import RecallIndex
from shared.recall.lexical import QueryTerms, lexical_lane
from shared.recall.normal_form import is_syllable
from shared.recall.query import Query
from shared.recall.recall_settings import RecallSettings

# The turn speaks of them; they are merely there.
NAMED, _PRESENT = 1.0, 0.5


class CheapLanes:
    """The lanes that need nothing but the index: a value, 0 to 1, for each place."""

    def __init__(self, query: Query, index: RecallIndex, settings: RecallSettings) -> None:
        texts = weighted_texts(query, settings)
        terms = QueryTerms(texts, index, settings.syllable_weight)
        self.keyword = _keyword_lane(texts, index)
        self.people = _people_lane(query, index)
        self.lexical = lexical_lane(terms, index, 0)
        self.near = lexical_lane(terms, index, settings.near_width)
        self.far = lexical_lane(terms, index, settings.far_width)
        self.hashed = _hash_lane(terms, index)
        self.spoken_of = _spoken_of(terms, index, settings.evidence_width)


def _spoken_of(terms: QueryTerms, index: RecallIndex, width: int) -> frozenset[int]:
    """The places that share more with the query than single syllables, which prove nothing; and
    those within `width` of one in its cycle.
    """
    telling = (term for gram, term in terms.terms.items() if len(gram) > 1 or not is_syllable(gram))
    own = {place for term in telling for place, _ in term.postings}
    return frozenset(
        near
        for place in own
        for near in range(max(0, place - width), min(len(index), place + width + 1))
        if index.fields[near].cycle_id == index.fields[place].cycle_id
    )


def weighted_texts(query: Query, settings: RecallSettings) -> list[tuple[str, float]]:
    """The current turn with weight 1, and the messages behind it with theirs."""
    recent = query.recent[: settings.recent_messages]
    return [(query.text, 1.0), *((text, settings.recent_weight) for text in recent)]


def _keyword_lane(texts: Sequence[tuple[str, float]], index: RecallIndex) -> dict[int, float]:
    """For each entry that a keyword calls, how rare that keyword is; 1 for an entry's own."""
    rarest = log(1 + len(index)) if len(index) else 1.0
    lane: dict[int, float] = {}
    for text, weight in texts:
        for keyword in index.keywords.find(text):
            places = index.keyword_places[keyword]
            value = weight * log((1 + len(index)) / len(places)) / rarest
            for place in places:
                lane[place] = max(value, lane.get(place, 0.0))
    return lane


def _people_lane(query: Query, index: RecallIndex) -> dict[int, float]:
    """1 for the entries of whoever the turn names, half for those of whoever is present."""
    lane: dict[int, float] = {}
    for name in index.people.find(" , ".join(query.people)):
        lane |= dict.fromkeys(index.people_places[name], _PRESENT)
    for name in index.people.find(query.text):
        lane |= dict.fromkeys(index.people_places[name], NAMED)
    return lane


def _hash_lane(terms: QueryTerms, index: RecallIndex) -> list[float]:
    weights = {gram: term.weight for gram, term in terms.terms.items()}
    known = {gram for gram, term in terms.terms.items() if term.postings}
    vector = query_vector(weights, known)
    return list(
        chain(*(cosines(vector, shard.vectors, shard.square_sums) for shard in index.shards))
    )
