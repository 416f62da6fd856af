"""What the lexical and hash lanes compare."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.recall.grams import grams_of
from shared.recall.hash_vectors import DIMENSIONS, Signs, hash_vector, square_sum

# A change here makes every stored vector meaningless: raise FORMAT in shared/recall/shard.py.
STORED = {
    **dict.fromkeys((2, 55, 434, 511, 679, 847, 929, 968), 1),
    **dict.fromkeys((34, 190, 218, 280, 317, 472, 551, 856, 926, 982), -1),
}


@pytest.mark.parametrize(
    ("text", "grams"),
    [
        ("열쇠", ["열", "쇠", "열쇠"]),
        ("열쇠를", ["열", "쇠", "열쇠"]),
        ("강", ["강"]),
        ("BTS콘서트", ["bts", "콘", "서", "트", "콘서", "서트"]),
        ("2층에서", ["2", "층", "에", "층에"]),
        ("ㅋㅋㅋ 🌙 …", []),
        ("그래 나는 진짜", []),
        ("What did the girls' bands do?", ["girl", "band"]),
        ("planned planning plans", ["plan", "plan", "plan"]),
        ("", []),
    ],
)
def test_grams(text: str, grams: list[str]) -> None:
    assert grams_of(text) == grams


@given(st.text("가나다라열쇠 abc.,ㅋ1", max_size=40))
def test_spelling_of_characters_does_not_matter(text: str) -> None:
    assert grams_of(unicodedata.normalize("NFD", text)) == grams_of(text)


@settings(deadline=None)
@given(st.lists(st.text(max_size=4), max_size=60))
def test_a_vector_is_1024_bytes_and_does_not_depend_on_order(grams: list[str]) -> None:
    vector = hash_vector(grams)
    assert len(vector) == DIMENSIONS
    assert vector == hash_vector(reversed(grams))


def test_stored_vectors_never_change() -> None:
    vector = hash_vector(grams_of("지하 기록실에서 은색 열쇠를 받았다"))
    values = enumerate(memoryview(vector).cast("b").tolist())
    assert {place: value for place, value in values if value} == STORED


def test_a_vector_is_like_itself_and_unlike_its_opposite() -> None:
    vector = hash_vector(["가", "나", "가나"])
    opposite = bytes(-value & 0xFF for value in vector)
    assert Signs(vector).similarity(Signs(vector)) == pytest.approx(1)
    assert Signs(vector).similarity(Signs(opposite)) == pytest.approx(-1)
    assert Signs(vector).similarity(Signs(hash_vector([]))) == 0
    assert square_sum(opposite) == square_sum(vector)
