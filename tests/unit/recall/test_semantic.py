"""The optional lane of embeddings."""

import pytest

from shared.recall.index import RecallIndex
from shared.recall.query import Outcome, Query, Recall
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings
from shared.recall.semantic import EntryEmbeddings, QueryEmbedding, Semantic, quantised
from tests.unit.recall.recalling import entry, numbers, outcome

ENTRIES = [entry(0, "열쇠 하나"), entry(1, "열쇠 둘"), entry(2, "바다 구경")]
VALUES = {0: (0.1, 0.9), 1: (0.9, 0.1), 2: (1.0, 0.0)}


def _ask(query: QueryEmbedding | None, *, off: str = "", sound: bool = True) -> Recall:
    vectors = {ENTRIES[n].entry_id: quantised(values) for n, values in VALUES.items()}
    if not sound:
        vectors = {ENTRIES[0].entry_id: b"\1", ENTRIES[1].entry_id: b"\0\0"}
    embeddings = EntryEmbeddings(model="e", dimensions=2, vectors=vectors)
    return recall(
        Query(text="열쇠"),
        RecallIndex.from_entries(ENTRIES),
        settings=RecallSettings(),
        semantic=Semantic(entries=embeddings, query=query, off=off),
    )


def test_the_nearer_meaning_goes_first() -> None:
    assert numbers(_ask(QueryEmbedding(model="e", values=(1.0, 0.0)))) == [1, 0]
    assert numbers(_ask(QueryEmbedding(model="e", values=(0.0, 1.0)))) == [0, 1]


def test_a_cosine_alone_never_opens_the_gate() -> None:
    found = _ask(QueryEmbedding(model="e", values=(1.0, 0.0)))
    assert 2 not in numbers(found)
    assert all(one.outcome is not Outcome.CHOSEN for one in found.explained[2:])


@pytest.mark.parametrize(
    ("query", "off", "reason"),
    [
        (QueryEmbedding(model="f", values=(1.0, 0.0)), "", "by e in 2 dimensions"),
        (QueryEmbedding(model="e", values=(1.0, 0.0, 0.0)), "", "by e in 3"),
        (None, "deadline", "deadline"),
        (None, "", "no embedding of the query"),
    ],
)
def test_a_mismatch_or_a_service_down_switches_the_lane_off_and_says_so(
    query: QueryEmbedding | None, off: str, reason: str
) -> None:
    found = _ask(query, off=off)
    assert reason in found.semantic_off
    assert set(numbers(found)) == {0, 1}
    assert outcome(found, 0) is Outcome.CHOSEN
    assert all(one.lanes.semantic == 0 for one in found.explained)


def test_an_entry_without_a_sound_embedding_has_no_part_in_the_lane() -> None:
    found = _ask(QueryEmbedding(model="e", values=(1.0, 0.0)), sound=False)
    assert found.semantic_off == ""
    assert all(one.lanes.semantic == 0 for one in found.explained)


def test_quantised_keeps_the_direction() -> None:
    assert quantised([0.5, -1.0, 0.0]) == bytes([64, 129, 0])
    assert quantised([0.0, 0.0]) == b"\0\0"
    assert quantised([]) == b""
