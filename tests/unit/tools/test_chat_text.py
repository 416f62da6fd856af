"""Texts of recorded messages, made fit to be sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.chat_text import is_blank, pieces, units, without_surrogates


@pytest.mark.parametrize("text", ["", " \r\n\t", "\u3000", "\u200b\u2060", "\u3164", "\ufe0f"])
def test_what_nobody_would_see(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["ㅋ", "...", "\u200b응", "👍", " . "])
def test_what_can_be_seen(text: str) -> None:
    assert not is_blank(text)


def test_only_broken_pairs_are_mended() -> None:
    assert without_surrogates("가😀\ud83d나") == "가😀\ufffd나"


@given(st.text(alphabet="가나a 😀👩\u200d\u0301\ufe0f🇰🇷", max_size=60), st.integers(2, 12))
def test_pieces_are_the_text_and_fit(text: str, most: int) -> None:
    parts = list(pieces(text, most))
    assert "".join(parts) == text
    assert all(0 < units(part) <= most for part in parts)


def test_an_emoji_of_several_parts_stays_whole() -> None:
    assert list(pieces("가나👩‍👩‍👧다", 9)) == ["가나", "👩‍👩‍👧다"]
