"""Whether memory says what only a message that is gone has said."""

import unicodedata
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.forgetting.old_words import OldWords, Rest

CASES = yaml.safe_load(Path(__file__).with_name("old_words.yaml").read_text("utf-8"))
KOREAN = st.text(st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=8)


@pytest.mark.parametrize("case", CASES, ids=[one["old"] + " / " + one["line"] for one in CASES])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_cases(case: dict[str, Any], form: Literal["NFC", "NFD"]) -> None:
    words = OldWords(
        unicodedata.normalize(form, case["old"]), unicodedata.normalize(form, case.get("new", ""))
    )
    assert words.are_in(case["line"], Rest(case["beside"])) is case["found"]


@given(KOREAN, st.text(max_size=20), st.text(max_size=20))
def test_a_whole_message_is_found_wherever_it_stands(old: str, before: str, after: str) -> None:
    assert OldWords(old).are_in(f"{before} {old} {after}", Rest())


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_said_besides_is_never_withdrawn(old: str, line: str) -> None:
    assert not OldWords(old).are_in(line, Rest(line))


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_is_still_said_is_never_withdrawn(old: str, line: str) -> None:
    assert not OldWords(old, new=old).are_in(line, Rest())
