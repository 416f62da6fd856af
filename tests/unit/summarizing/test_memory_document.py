"""The model's output, read strictly. The cases are data: outputs_v5.yaml (PRD §8-C)."""

import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ModelOutputError
from shared.summarizing.memory_document import parse_first_memory, parse_summary, slot_at
from shared.summarizing.source_ids import split_ids
from tests.factories import FIRST_MEMORY, summary

CASES = yaml.safe_load((Path(__file__).parent / "outputs_v5.yaml").read_text(encoding="utf-8"))


def output_of(case: dict[str, Any]) -> str:
    text = str(case.get("replace", CASES["base"]))
    for old, new in case.get("edit", []):
        assert old in text, f"the case edits {old!r}, which the document lacks"
        text = text.replace(old, new)
    if "cut_after" in case:
        text = text[: text.index(case["cut_after"]) + len(case["cut_after"])] + "\n"
    text = str(case.get("prefix", "")) + text + str(case.get("suffix", ""))
    return unicodedata.normalize("NFD", text) if case.get("nfd") else text


@pytest.mark.parametrize("case", CASES["accept"], ids=lambda case: case["why"])
def test_accepts(case: dict[str, Any]) -> None:
    read = parse_summary(output_of(case))
    assert len(read.ltm) == 2
    assert read.recent[0].startswith("지우가 이사 날짜를 {user}에게 물었다.")


@pytest.mark.parametrize("case", CASES["reject"], ids=lambda case: case["why"])
def test_rejects(case: dict[str, Any]) -> None:
    with pytest.raises(ModelOutputError) as refused:
        parse_summary(output_of(case))
    assert "지우" not in str(refused.value)


def test_repairs_change_nothing_that_was_said() -> None:
    plain = parse_summary(CASES["base"])
    for case in CASES["accept"][:13]:
        assert parse_summary(output_of(case)) == plain, case["why"]
    assert plain.lorebook[0].model_dump(exclude_defaults=True) == {
        "title": "이사 부탁",
        "keywords": ["이사", "상자"],
        "when": "2026-03-02 (월)",
        "record": '지우가 "상자 좀 들어 줄래?"라고 했고 {user}가 좋다고 했다.',
    }


def test_ids_are_read_and_never_stored() -> None:
    text = CASES["base"].replace("도와 달라고 했다.", "도와 달라고 했다. (m3, m7)")
    text = text.replace("농담을 먼저 한다.", "농담을 먼저 한다 (m2).").replace(
        "- 기록", "- sources: m3, m5-m7\n- 기록"
    )
    read, plain = parse_summary(text), parse_summary(CASES["base"])
    assert read.ltm[0].endswith("도와 달라고 했다. (m3, m7)")
    assert read.as_slots().long_term_memory == plain.as_slots().long_term_memory
    assert "(m" not in read.as_slots().model_dump_json()
    assert read.lorebook[0].sources == ["m3", "m5", "m6", "m7"]


def test_ids_after_a_record_are_sources_too() -> None:
    text = CASES["base"].replace("좋다고 했다.", "좋다고 했다. (m4)")
    entry = parse_summary(text).lorebook[0].without_ids()
    assert (entry.record[-6:], entry.sources) == ("다고 했다.", ["m4"])


@pytest.mark.parametrize(
    ("text", "left", "ids"),
    [
        ("물었다. (m3, m7)", "물었다.", ("m3", "m7")),
        ("물었다 (m3).", "물었다", ("m3",)),
        ("물었다（m3，m4）", "물었다（m3，m4）", ()),
        ("물었다（m3, m4）", "물었다", ("m3", "m4")),
        ("물었다. (m3) (m3, m5)", "물었다.", ("m3", "m5")),
        ("물었다. (m8-m10)", "물었다.", ("m8", "m9", "m10")),
        ("물었다. [m3]", "물었다.", ("m3",)),
        ("새 폰은 갤럭시다 (s24)", "새 폰은 갤럭시다 (s24)", ()),
        ("방이 넓다 (20평)", "방이 넓다 (20평)", ()),
        ("(m3)", "(m3)", ()),
        ("[Messenger / DM / x / y] (m3)", "[Messenger / DM / x / y] (m3)", ()),
        ("", "", ()),
    ],
)
def test_ids_are_split_off(text: str, left: str, ids: tuple[str, ...]) -> None:
    assert split_ids(text, "m") == (left, ids)


def test_empty_parts_of_the_user_leave_no_heading_in_the_slot() -> None:
    text = CASES["base"].replace("- 직업: 제빵사\n", "")
    slots = parse_summary(text).as_slots()
    assert slots.user_relational_persona == (
        "### How Soul sees the user\n- 말보다 먼저 움직이는 사람으로 본다."
    )


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ModelOutputError):
        assert parse_summary(text).recent


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60))
def test_a_line_of_any_text_cannot_add_a_slot(line: str) -> None:
    try:
        read = parse_summary(summary(line))
    except ModelOutputError:
        return
    assert len(read.lorebook) == 1
    assert read.profile == ["별명: 필름"]


def test_a_first_memory_has_three_slots() -> None:
    slots = parse_first_memory(f"초기 문서입니다.\n\n```markdown\n{FIRST_MEMORY}```").as_slots()
    assert slots.recent_context == ""
    assert slots.long_term_memory.startswith('- [Episode / "강변 레이스" / (시간 불명) / 완주]')


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("a Recent context", "## Recent context\n- 지금.\n\n" + FIRST_MEMORY),
        ("a Recent context at the end", FIRST_MEMORY + "## Recent context\n- 지금.\n"),
        (
            "a Default",
            FIRST_MEMORY.replace("### Relational", "### Default\n- 차갑다.\n### Relational"),
        ),
        ("a Default persona", FIRST_MEMORY + "## Default persona\n- 차갑다.\n"),
        ("a bio", FIRST_MEMORY + "## Soul's messenger bio\n- status: 현상 중\n"),
        ("an initial situation", "## Initial situation\n- 레이스 뒤다.\n\n" + FIRST_MEMORY),
        ("no User persona", FIRST_MEMORY.split("## User persona")[0]),
        ("a v5 document", summary()),
        ("nothing", ""),
    ],
)
def test_a_first_memory_with_more_or_less_is_refused(why: str, text: str) -> None:
    with pytest.raises(ModelOutputError):
        parse_first_memory(text)


def test_a_place_in_an_output_belongs_to_its_slot() -> None:
    text = CASES["base"]
    assert slot_at(text, text.index("이사 날짜")) == "recent_context"
    assert slot_at(text, text.index("제빵사")) == "user_relational_persona"
    assert slot_at(text, text.index("상자 좀")) == "lorebook"
    assert slot_at(text, 3) == "output"
