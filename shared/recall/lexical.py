"""BM25 over grams, as a share of the best score that a query could have."""

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from shared.recall.grams import grams_of
from shared.recall.index import RecallIndex
from shared.recall.normal_form import is_syllable
from shared.recall.postings import Posting

K1 = 1.2
B = 0.4
# What a lorebook is taken to hold at least: with two entries, a word in both is still rare.
_SMALLEST = 50


class Term(NamedTuple):
    """A gram of the query: its weight with its IDF, and where it stands."""

    weight: float
    postings: Sequence[Posting]


class QueryTerms:
    """The grams of a query, weighed; `best` is the score of an entry that is full of them."""

    def __init__(
        self, texts: Sequence[tuple[str, float]], index: RecallIndex, syllable_weight: float
    ) -> None:
        self.terms: dict[str, Term] = {}
        for gram, weight in _weights(texts, syllable_weight).items():
            postings = index.postings(gram)
            idf = inverse_frequency(len(postings), len(index))
            self.terms[gram] = Term(weight * idf, postings)
        self.best = sum(term.weight for term in self.terms.values())


def _weights(texts: Sequence[tuple[str, float]], syllable_weight: float) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    for text, weight in texts:
        for gram in grams_of(text):
            own = weight * (syllable_weight if len(gram) == 1 and is_syllable(gram) else 1.0)
            weights[gram] = max(own, weights.get(gram, 0.0))
    return weights


def inverse_frequency(having: int, size: int) -> float:
    """The weight of a gram that `having` of `size` entries have; never negative."""
    size = max(size, _SMALLEST)
    return log(1 + (size - having + 0.5) / (having + 0.5))


def lexical_lane(query: QueryTerms, index: RecallIndex, width: int) -> list[float]:
    """For each entry with `width` neighbours on either side its share, 0 to 1, of the best."""
    around = index.neighbourhood(width)
    scores = [0.0] * len(index)
    if not query.best or not around.mean_length:
        return scores
    flat, steep = K1 * (1 - B), K1 * B / around.mean_length
    norms = [flat + steep * length for length in around.lengths]
    for term in query.terms.values():
        weight = term.weight / query.best
        if around.is_common(term.postings):
            scores = [
                score + weight * count / (count + norm) if count else score
                for score, count, norm in zip(
                    scores, around.swept(term.postings), norms, strict=True
                )
            ]
        else:
            for place, count in around.spread(term.postings):
                scores[place] += weight * count / (count + norms[place])
    return scores
