"""What of a model's text is sent. The cases are data (PRD §8-A)."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.replying.bubbles import MAX_BUBBLES, BubbleStream, bubbles_of

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "bubbles.yaml").read_text("utf-8")
)
NAME = "윤소희"


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_only_what_the_soul_says_is_sent(case: dict[str, Any]) -> None:
    assert bubbles_of(case["wrote"], NAME) == case["sent"]


def test_too_many_lines_become_one_last_bubble() -> None:
    sent = bubbles_of("\n".join(f"{n}번째" for n in range(20)), NAME)
    assert len(sent) == MAX_BUBBLES
    assert sent[-1].split() == [f"{n}번째" for n in range(MAX_BUBBLES - 1, 20)]


def test_a_bubble_is_no_longer_than_a_message_may_be() -> None:
    [sent] = bubbles_of("😀" * 3000, NAME)
    assert len(sent.encode("utf-16-le")) // 2 == 4000


@given(st.text(alphabet="응가 \n\r\u2028[](){}*|:#<>-a1", max_size=60), st.integers(1, 7))
def test_what_is_streamed_is_what_is_sent(text: str, size: int) -> None:
    told: list[str] = []
    stream = BubbleStream(told.append, NAME)
    for start in range(0, len(text), size):
        stream.add(text[start : start + size])
    stream.finish()
    sent = bubbles_of(text, NAME)
    assert told[: MAX_BUBBLES - 1] == sent[: MAX_BUBBLES - 1]
    assert " ".join(told) == " ".join(sent)


@given(st.text(max_size=80))
def test_nothing_sent_is_blank_or_holds_a_line_break(text: str) -> None:
    assert all(one.strip() and "\n" not in one for one in bubbles_of(text, NAME))
