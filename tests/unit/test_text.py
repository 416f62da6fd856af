"""Text is cut between characters, never within one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.text import cut_text

FAMILY = "👩‍👩‍👧"
THUMB = "👍🏽"
FLAG = "🇰🇷"
NFD = unicodedata.normalize("NFD", "한")


@pytest.mark.parametrize("whole", [FAMILY, THUMB, FLAG, "❤️", "e\u0301", NFD, "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🧑🏻‍💻"])
def test_a_character_of_many_code_points_stays_whole(whole: str) -> None:
    text = f"앞{whole}뒤"
    cuts = {cut_text(text, limit) for limit in range(len(text) + 1)}
    assert cuts == {"", "앞", f"앞{whole}", text}


def test_flags_are_cut_between_pairs() -> None:
    assert cut_text(FLAG * 3, 5) == FLAG * 2


def test_the_ending_fits_within_the_limit() -> None:
    assert cut_text("아주 긴 이야기", 5, "…") == "아주 긴…"
    assert cut_text("짧다", 5, "…") == "짧다"
    assert cut_text("아주 긴 이야기", 1, " …(생략)") == "아"


@given(st.text(max_size=50), st.integers(min_value=0, max_value=60))
def test_a_cut_is_a_start_within_the_limit(text: str, limit: int) -> None:
    cut = cut_text(text, limit)
    assert len(cut) <= limit
    assert text.startswith(cut)
