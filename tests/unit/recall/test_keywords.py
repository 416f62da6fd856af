"""Keyword recall over Korean chat (PRD §4.10): `keyword_cases.json`, and properties."""

import json
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.keywords import KeywordIndex, find_keywords


class Case(TypedDict):
    group: str
    text: str
    keywords: list[str]
    hit: list[str]


CASES: list[Case] = json.loads(
    Path(__file__).with_name("keyword_cases.json").read_text(encoding="utf-8")
)

NAMES = ["하준", "은호", "속초", "눈", "은색 열쇠", "회전목마", "BTS", "7번방", "🌙", "산책"]
ENDINGS = ["", "은", "는", "이", "가", "에서", "이랑", "랑", "야", "아", "이었어", "했어", "ㅋㅋ"]
WORDS = st.builds(str.__add__, st.sampled_from([*NAMES, "김치", "별로"]), st.sampled_from(ENDINGS))
TEXTS = st.lists(WORDS | st.text("가나 \n.,!한글a1ㅋ🌙", max_size=6), max_size=12).map(" ".join)
KEYWORDS = st.lists(st.sampled_from(NAMES) | st.text("가나한글 a1", max_size=4), max_size=8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['group']}-{case['text']}")
def test_finds_the_keywords_that_stand_as_words(case: Case) -> None:
    assert find_keywords(case["text"], case["keywords"]) == case["hit"]


def test_there_are_cases_that_hit_and_cases_that_do_not() -> None:
    misses = [case for case in CASES if not case["hit"]]
    assert len(CASES) >= 120
    assert 60 <= len(misses) <= len(CASES) - 60


@given(TEXTS, KEYWORDS)
def test_answers_in_the_given_order_and_each_once(text: str, keywords: list[str]) -> None:
    found = find_keywords(text, keywords * 2)
    assert found == [keyword for keyword in dict.fromkeys(keywords) if keyword in found]


@given(TEXTS, KEYWORDS)
def test_a_keyword_fires_whatever_other_keywords_there_are(text: str, keywords: list[str]) -> None:
    alone = [keyword for keyword in dict.fromkeys(keywords) if find_keywords(text, [keyword])]
    assert find_keywords(text, keywords) == alone


def _nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _veiled(text: str) -> str:
    return "\u200b".join(text) + "\ufeff"


@pytest.mark.parametrize("spell", [_nfd, _full_width, _veiled, str.upper, str.lower])
@given(text=TEXTS, keywords=KEYWORDS)
def test_the_spelling_of_characters_does_not_matter(
    spell: Callable[[str], str], text: str, keywords: list[str]
) -> None:
    found = find_keywords(text, keywords)
    assert find_keywords(spell(text), keywords) == found
    unique = list(dict.fromkeys(keywords))
    indices = [unique.index(keyword) for keyword in found]
    respelled = [spell(keyword) for keyword in unique]
    assert find_keywords(text, respelled) == list(dict.fromkeys(respelled[i] for i in indices))


@given(TEXTS, KEYWORDS)
def test_an_index_answers_the_same_every_time(text: str, keywords: list[str]) -> None:
    index = KeywordIndex(iter(keywords))
    assert index.find(text) == index.find(text) == find_keywords(text, keywords)


@given(st.text(), st.lists(st.text(max_size=5), max_size=5))
def test_takes_any_text_and_any_keywords(text: str, keywords: list[str]) -> None:
    assert set(find_keywords(text, keywords)) <= set(keywords)


@given(st.text().filter(lambda text: bool(text.strip())))
def test_no_keyword_fires_in_an_empty_text(keyword: str) -> None:
    assert find_keywords("", [keyword]) == []


def _steps(index: KeywordIndex, text: str) -> int:
    """How many lines of Python one search runs: its cost, free of the clock."""
    steps = 0

    def count(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        index.find(text)
    finally:
        sys.settrace(before)
    return steps


MISSES = "하준호는 속초항에서 은호수를 봤고 눈치도 없이 산책로를 걸었다. "


@pytest.mark.parametrize("piece", [MISSES, "가", "가 ", "가나 ", "는", " ", "하준이랑"])
def test_cost_is_linear_in_the_text(piece: str) -> None:
    index = KeywordIndex([*NAMES, "가", "가 가 가", "가나다라", "가가가가"])
    short, long = piece * (2_000 // len(piece)), piece * (8_000 // len(piece))
    assert _steps(index, long) <= 4.4 * _steps(index, short)


def test_cost_does_not_grow_with_the_number_of_keywords() -> None:
    others = [f"{a}{b}{c}" for a in "걸도봄밤" for b in "나다라마바" for c in "사자차카타파"]
    few, many = KeywordIndex(NAMES), KeywordIndex([*NAMES, *others])
    assert _steps(many, MISSES * 20) <= 1.5 * _steps(few, MISSES * 20)
