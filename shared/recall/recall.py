"""What of the lorebook belongs in this turn (PRD §4.10)."""

from collections.abc import Mapping, Sequence
from heapq import nlargest

from shared.recall.choose import choose
from shared.recall.index import RecallIndex
from shared.recall.lanes import CheapLanes
from shared.recall.query import Explained, Outcome, Query, Recall
from shared.recall.recall_settings import RecallSettings
from shared.recall.related import related_places
from shared.recall.score import Candidate, Scoring, has_evidence
from shared.recall.semantic import Semantic, semantic_lane, why_off


def recall(
    query: Query,
    index: RecallIndex,
    *,
    settings: RecallSettings,
    semantic: Semantic | None = None,
) -> Recall:
    """Choose the entries that belong in this turn, and say of each candidate why.

    Nothing is remembered from one turn to the next: an entry that nothing calls is not chosen.
    """
    off = why_off(semantic)
    if not len(index):
        return Recall(semantic_off=off)
    cheap = CheapLanes(query, index, settings)
    open_places, shut = _parted(query, index, cheap, settings)
    meant = {} if semantic is None or off else semantic_lane(semantic, index.fields, open_places)
    scoring = Scoring(query, index, cheap, meant=meant, settings=settings)
    candidates = scoring.best(open_places, settings.candidates)
    choice = choose(candidates, index, settings)
    chosen = [one.place for one in choice.chosen]
    related = related_places(chosen, index, may_know=query.may_know, settings=settings)
    outcomes = {**shut, **choice.left, **dict.fromkeys(chosen, Outcome.CHOSEN)}
    outcomes |= dict.fromkeys(related, Outcome.RELATED)
    considered = {one.place for one in candidates}
    others = [place for place in related if place not in considered]
    others += _nearest(shut, cheap, settings.candidates, set(others))
    return Recall(
        entry_ids=tuple(index.fields[place].entry_id for place in (*chosen, *related)),
        explained=_explained([*candidates, *scoring.best(others, len(others))], outcomes),
        semantic_off=off,
    )


def _parted(
    query: Query, index: RecallIndex, cheap: CheapLanes, settings: RecallSettings
) -> tuple[list[int], dict[int, Outcome]]:
    """The places that may come in, and why each of the others may not."""
    open_places: list[int] = []
    shut: dict[int, Outcome] = {}
    for place, fields in enumerate(index.fields):
        if not has_evidence(place, cheap, settings):
            shut[place] = Outcome.NO_EVIDENCE
        elif fields.secrecy not in query.may_know:
            shut[place] = Outcome.SECRET
        else:
            open_places.append(place)
    return open_places, shut


def _nearest(
    shut: Mapping[int, Outcome], cheap: CheapLanes, most: int, known: set[int]
) -> list[int]:
    """Those of the places that are shut which had the most to do with the query."""
    some = (place for place in shut if cheap.lexical[place] > 0 and place not in known)
    return nlargest(most, some, key=cheap.lexical.__getitem__)


def _explained(
    candidates: Sequence[Candidate], outcomes: Mapping[int, Outcome]
) -> tuple[Explained, ...]:
    return tuple(
        Explained(
            entry_id=one.fields.entry_id,
            lanes=one.lanes,
            score=one.score,
            outcome=outcomes[one.place],
        )
        for one in candidates
    )
