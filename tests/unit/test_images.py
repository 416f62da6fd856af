"""An image where only text can stand, and what it costs."""

from zoneinfo import ZoneInfo

import pytest

from shared.images import message_tokens, told
from shared.recall.recall_block import query_of
from shared.safety.masking import masked_message
from shared.summarizing.sources import message_sources
from tests.factories import image_message, message
from tests.fakes import FakeTokens


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", "(이미지)"),
        ("여기야", "여기야\n(이미지)"),
        ("여기야\n", "여기야\n(이미지)"),
        ("  ", "(이미지)"),
        ("첫 줄\n\n둘째 줄", "첫 줄\n\n둘째 줄\n(이미지)"),
    ],
)
def test_an_image_is_the_last_line_of_its_message(text: str, lines: str) -> None:
    assert told(image_message(0, text)) == lines


def test_without_an_image_a_message_is_its_text() -> None:
    assert told(message(0, "여기야 ")) == "여기야 "


def test_an_image_counts_what_the_setting_says() -> None:
    assert message_tokens(image_message(0, "여기야"), FakeTokens(), 258) == 261
    assert message_tokens(message(0, "여기야"), FakeTokens(), 258) == 3


def test_a_cycles_output_is_held_against_what_it_read() -> None:
    sources = message_sources(
        [image_message(0), image_message(1, "여기야")], ZoneInfo("Asia/Seoul")
    )
    assert [one.text for one in sources] == ["(이미지)", "여기야\n(이미지)"]


def test_masking_keeps_the_image() -> None:
    masked = masked_message(image_message(0, "010-5555-6666"))
    assert masked.text == "[REDACTED]"
    assert masked.image == image_message(0).image
    assert masked_message(image_message(0)) == image_message(0)


def test_recall_asks_with_words_alone() -> None:
    """An image takes no place among the three messages behind the turn."""
    behind = [
        message(0, "강릉"),
        image_message(1),
        message(2, "바다", role="user"),
        image_message(3),
    ]
    chat = [*behind, message(4, "예쁘다", role="soul"), image_message(5), image_message(6, "어때")]
    query = query_of(chat, 2)
    assert query.text.strip() == "어때"
    assert query.recent == ("예쁘다", "바다", "강릉")
    assert query_of(chat[:6], 2).text == ""
