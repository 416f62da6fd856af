"""Whether a line rests on what was said. The cases are data (PRD §4.5, §5.3, §7.5)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.safety.dates import UNKNOWN_TIME
from shared.safety.evidence import Claim, Evidence, Source
from shared.safety.promotion import is_of_persona
from tests.unit.safety.test_promotion import sources_of

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "evidence_cases.yaml").read_text(encoding="utf-8")
)
DAY = "2026-05-27 (수)"


def dated(source: Source, case: dict[str, Any]) -> Source:
    day = case.get("day", UNKNOWN_TIME) if source.role is None else DAY
    return source.model_copy(update={"day": day})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_a_line_is_judged(case: dict[str, Any]) -> None:
    evidence = Evidence(
        [dated(source, case) for source in sources_of(case)],
        soul_name="Sohee" if "Sohee" in case["line"] else "한소희",
        before=case.get("before", []),
    )
    when = str(case.get("at", UNKNOWN_TIME))
    claim = Claim(text=case["line"], ids=tuple(case["ids"]), when=when)
    assert evidence.judge(claim) == case["is"]


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 40
    assert len({case["why"] for case in CASES}) == len(CASES)


def test_the_original_lines_stay_reachable() -> None:
    sources = [
        Source(source_id="m1", ref="abc", text="안녕"),
        Source(source_id="m2", ref="d", text=""),
    ]
    evidence = Evidence(sources, soul_name="소희", before=[])
    assert evidence.refs(["m2", "m1", "m7"]) == ("d", "abc")


@pytest.mark.parametrize(
    ("line", "is_persona"),
    [
        ("말수가 적고 흑백 필름 사진을 좋아하는 사진가다.", True),
        ("말수가 적고, 흑백 필름 사진을 좋아하는 사진가이다", True),
        ("{user}와 있을 때만 말이 빨라지고 농담을 먼저 건넨다.", False),
        ("말수가 적다", False),
    ],
)
def test_the_default_persona_is_known_again(line: str, is_persona: bool) -> None:
    persona = "현상소에서 일한다.\n말수가 적고 흑백 필름 사진을 좋아하는 사진가다. 비를 싫어한다."
    assert is_of_persona(line, persona) is is_persona
