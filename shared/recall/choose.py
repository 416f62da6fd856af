"""Which candidates come in: unlike each other, and not all of one kind or cycle (PRD §4.10)."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from shared.recall.hash_vectors import Signs
from shared.recall.index import RecallIndex
from shared.recall.query import Outcome
from shared.recall.recall_settings import RecallSettings
from shared.recall.score import Candidate


class Choice(NamedTuple):
    """The chosen candidates, best first, and why each of the others is out, by place."""

    chosen: list[Candidate]
    left: dict[int, Outcome]


class _Open(NamedTuple):
    candidate: Candidate
    signs: Signs
    likeness: float  # to the nearest of the chosen


def choose(candidates: Sequence[Candidate], index: RecallIndex, settings: RecallSettings) -> Choice:
    """Maximal marginal relevance: the best by its score, less the more it is like one chosen.

    `candidates` stand from the best to the worst. An entry of no stated kind counts for none.
    """
    chosen: list[Candidate] = []
    left: dict[int, Outcome] = {}
    kinds: Counter[str] = Counter()
    cycles: Counter[str] = Counter()
    pending = [_Open(one, Signs(index.vector(one.place)), 0.0) for one in candidates]
    while pending and len(chosen) < settings.limit:
        best = max(pending, key=lambda one: _worth(one, settings))
        pending.remove(best)
        fields = best.candidate.fields
        if cycles[fields.cycle_id] >= settings.most_of_a_cycle:
            left[best.candidate.place] = Outcome.CYCLE_FULL
        elif fields.kind and kinds[fields.kind] >= settings.most_of_a_kind:
            left[best.candidate.place] = Outcome.KIND_FULL
        else:
            chosen.append(best.candidate)
            kinds[fields.kind] += 1
            cycles[fields.cycle_id] += 1
            pending = _compared(pending, best.signs, left, settings)
    left |= {one.candidate.place: Outcome.BELOW_LIMIT for one in pending}
    return Choice(chosen, left)


def _worth(one: _Open, settings: RecallSettings) -> float:
    return one.candidate.score * (1 - settings.diversity * one.likeness)


def _compared(
    pending: Sequence[_Open], signs: Signs, left: dict[int, Outcome], settings: RecallSettings
) -> list[_Open]:
    """Who is still open once the entry with these `signs` is in; the same again goes to `left`."""
    still: list[_Open] = []
    for one in pending:
        likeness = one.signs.similarity(signs)
        if likeness >= settings.same:
            left[one.candidate.place] = Outcome.SAME
        else:
            still.append(one._replace(likeness=max(one.likeness, likeness)))
    return still
