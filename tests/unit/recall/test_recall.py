"""What of the lorebook belongs in a turn, Korean first: `korean_recall.json`, and rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.recall.entry import Relation, RelationKind, Secrecy
from shared.recall.index import RecallIndex
from shared.recall.query import Outcome, Query, Recall
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings, RecallWeights
from tests.unit.recall.recalling import entry, numbers, outcome, recalled

DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("korean_recall.json").read_text(encoding="utf-8")
)
STORY = [
    entry(
        number,
        given["record"],
        **{"cycle_id": str(given["cycle"])}
        | {key: given[key] for key in given.keys() - {"record", "cycle"}},
    )
    for number, given in enumerate(DATA["entries"])
]
TITLES = {one.entry_id: one.title for one in STORY}


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["text"])
def test_recalls_what_a_turn_speaks_of_and_nothing_for_small_talk(case: dict[str, Any]) -> None:
    found = recalled(case["text"], STORY, recent=tuple(case.get("recent", ())))
    titles = [TITLES[one] for one in found.entry_ids]
    if case.get("none"):
        assert titles == []
    elif "first" in case:
        assert titles[0] == case["first"]
    else:
        assert case["some"] in titles


def test_an_entry_goes_when_nothing_calls_it_any_more() -> None:
    called = recalled("강릉 가자", STORY, recent=("응",))
    gone = recalled("매운 라면 끓였어", STORY, recent=("ㅋㅋ",))
    assert "강릉 여행 약속" in [TITLES[one] for one in called.entry_ids]
    assert "강릉 여행 약속" not in [TITLES[one] for one in gone.entry_ids]


def test_only_three_messages_behind_the_turn_count() -> None:
    far = recalled("응", STORY, recent=("ㅋㅋ", "음", "하하", "강릉 바다"))
    near = recalled("응", STORY, recent=("ㅋㅋ", "음", "강릉 바다"))
    assert numbers(far) == []
    assert numbers(near)[0] == 2


def test_an_answer_is_found_by_the_question_before_it() -> None:
    talk = [
        entry(0, "서연: 여행 갈 때 제일 먼저 뭘 챙겨?", cycle_id="a"),
        entry(1, "{user}: 음, 모자랑 책", cycle_id="a"),
        entry(2, "서연: 잘 자", cycle_id="b"),
    ]
    assert set(numbers(recalled("여행 준비물이 뭐였지", talk))) == {0, 1}


def test_a_keyword_hit_passes_without_any_other_evidence() -> None:
    strict = RecallSettings(minimum_lexical=1, minimum_hashed=1)
    found = recalled("강릉에서 봐", [entry(0, "바다", keywords=("강릉",))], strict)
    assert numbers(found) == [0]
    found = recalled("강릉항에서 봐", [entry(0, "바다", keywords=("강릉",))], strict)
    assert outcome(found, 0) is Outcome.NO_EVIDENCE


def test_who_the_turn_names_calls_their_entries_and_who_is_present_does_not() -> None:
    one = [entry(0, "우산을 빌려주었다", people=("서연",))]
    assert numbers(recalled("서연이 왔대", one)) == [0]
    assert numbers(recalled("누가 왔대", one, people=("서연",))) == []


def test_a_keyword_that_few_have_weighs_more() -> None:
    common = [entry(n, f"{n}번째 이야기", keywords=("하린",)) for n in range(20)]
    found = recalled("하린이랑 강릉에", [entry(99, "바다", keywords=("강릉",)), *common])
    assert numbers(found)[0] == 99


def test_who_the_turn_names_and_who_is_present_speak_for_an_entry() -> None:
    pair = [entry(0, "열쇠 하나", people=("서연",)), entry(1, "열쇠 둘", people=("은호",))]
    assert numbers(recalled("서연이 열쇠 말이야", pair))[0] == 0
    assert numbers(recalled("열쇠 말이야", pair, people=("은호",)))[0] == 1
    assert numbers(recalled("서연이 열쇠", pair, people=("은호",)))[0] == 0


@pytest.mark.parametrize(("age", "value"), [(12, 1.0), (13, 0.6), (40, 0.6), (41, 0.3), (121, 0.1)])
def test_recency_by_turns_since(age: int, value: float) -> None:
    found = recalled("열쇠", [entry(0, "열쇠", turn=7)], turn=7 + age)
    assert found.explained[0].lanes.recency == value


def test_an_entry_from_a_later_turn_is_fresh() -> None:
    assert recalled("열쇠", [entry(0, "열쇠", turn=9)]).explained[0].lanes.recency == 1.0


def test_importance_decides_between_equals() -> None:
    pair = [entry(0, "은색 열쇠 셋", importance=5), entry(1, "은색 열쇠 둘", importance=1)]
    assert numbers(recalled("은색 열쇠", pair)) == [0, 1]


def test_at_most_three_of_a_kind_and_two_of_a_cycle() -> None:
    kinds = [entry(n, f"열쇠 {n}번", kind="item") for n in range(5)]
    found = recalled("열쇠", [*kinds, entry(9, "열쇠 모양 과자를 구웠다")])
    assert len(numbers(found)) == 4
    assert [one.outcome for one in found.explained].count(Outcome.KIND_FULL) == 2
    cycle = [entry(n, f"열쇠 {n}번", cycle_id="a") for n in range(5)]
    assert len(numbers(recalled("열쇠", cycle))) == 2


def test_an_unlike_entry_goes_before_one_more_of_the_same() -> None:
    alike = [entry(n, f"은색 열쇠를 책상 서랍에 넣었다 {n}") for n in range(4)]
    found = recalled("은색 열쇠", [*alike, entry(8, "은색 머리핀과 열쇠고리를 샀다")])
    assert 8 in numbers(found)[:2]


def test_a_thousand_identical_entries_come_in_once() -> None:
    found = recalled("은색 열쇠", [entry(n, "은색 열쇠를 찾았다") for n in range(1_000)])
    assert numbers(found) == [999]
    assert len(found.explained) == 80


def _chain(*secrecies: Secrecy) -> list[Any]:
    """Entries without a word in common, each the cause of the one before it."""
    words = ["열쇠", "바다", "우산", "편지", "시계"]
    return [
        entry(n, words[n], secrecy=secrecy,
              relations=(Relation(RelationKind.CAUSE, f"{n + 1:06d}-000"),))
        for n, secrecy in enumerate(secrecies)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("hops", "found"), [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (3, [0, 1, 2, 3])]
)
def test_relations_are_followed_as_far_as_the_hops(hops: int, found: list[int]) -> None:
    chain = _chain(*[Secrecy.OPEN] * 5)
    result = recalled("열쇠", chain, RecallSettings(hops=hops))
    assert numbers(result) == found
    assert all(outcome(result, number) is Outcome.RELATED for number in found[1:])


def test_a_relation_leads_back_as_well() -> None:
    assert numbers(recalled("바다", _chain(Secrecy.OPEN, Secrecy.OPEN))) == [1, 0]


def test_more_than_three_hops_are_refused() -> None:
    with pytest.raises(ValueError, match="hops"):
        RecallSettings(hops=4)


def test_what_the_soul_may_not_know_comes_in_neither_way() -> None:
    chain = _chain(Secrecy.OPEN, Secrecy.USER_ONLY, Secrecy.OPEN)
    assert numbers(recalled("열쇠", chain, RecallSettings(hops=3))) == [0]
    assert outcome(recalled("바다", chain), 1) is Outcome.SECRET
    assert numbers(recalled("열쇠", _chain(Secrecy.SOUL_ONLY))) == [0]


CHAIN_AND_STORY = RecallIndex.from_entries([*_chain(*[Secrecy.OPEN] * 5), *STORY[5:]])


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12))
def test_never_more_than_the_limit_and_what_is_related(limit: int, most_related: int) -> None:
    chosen = RecallSettings(limit=limit, most_related=most_related)
    found = recall(Query(text="열쇠 바다"), CHAIN_AND_STORY, settings=chosen)
    assert len(found.entry_ids) <= limit + most_related
    assert len(set(found.entry_ids)) == len(found.entry_ids)


def test_weights_are_in_the_order_of_the_lanes() -> None:
    explained = recalled("열쇠", STORY).explained[0]
    assert tuple(RecallWeights.model_fields) == explained.lanes._fields


@pytest.mark.parametrize("text", ["", " ", "\0", "(", "[a-", "\\b", "가" * 4_000, "열쇠 " * 1_000])
def test_takes_any_text(text: str) -> None:
    odd = [
        entry(0, "", keywords=("", " ", "(", ".*", "[")),
        entry(1, ".*", title="(", keywords=("열" * 1_000, "x" * 1_000)),
        entry(2, "열쇠", people=("", "(")),
    ]
    found = recalled(text, odd, recent=("[", "", "*"))
    assert set(numbers(found)) <= {0, 1, 2}


def test_a_keyword_of_a_thousand_characters_is_found() -> None:
    long = entry(0, "끝", keywords=("열" * 1_000,))
    assert numbers(recalled("열" * 1_000 + "을 봤어", [long])) == [0]


@settings(deadline=None)
@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=4))
def test_every_candidate_is_explained(text: str, recent: list[str]) -> None:
    query = Query(text=text, recent=tuple(recent))
    found = recall(query, CHAIN_AND_STORY, settings=RecallSettings())
    came_in = {one.entry_id for one in found.explained if one.outcome in _IN}
    assert came_in == set(found.entry_ids)


_IN = {Outcome.CHOSEN, Outcome.RELATED}


def test_an_empty_lorebook_recalls_nothing() -> None:
    nothing = recall(Query(text="열쇠"), RecallIndex(), settings=RecallSettings())
    assert nothing == Recall(semantic_off="no embeddings given")
