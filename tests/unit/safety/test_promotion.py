"""Labels that rise, and what is open and called settled. The cases are data (PRD §4.5, §5.3)."""

from pathlib import Path
from typing import Any

import yaml

from shared.model.thread import Role
from shared.safety.evidence import Source
from shared.safety.promotion import Promotions
from shared.safety.quotes import Names

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "promotion_cases.yaml").read_text(encoding="utf-8")
)
ROLES: dict[str, Role] = {"u": "user", "s": "soul"}


def sources_of(case: dict[str, Any]) -> list[Source]:
    said = [
        Source(source_id=f"m{n}", ref=f"r{n}", role=ROLES[line[0]], text=line[3:])
        for n, line in enumerate(case.get("said", []), start=1)
    ]
    told = [
        Source(source_id=f"s{n}", ref=f"p/{n}", text=line)
        for n, line in enumerate(case.get("told", []), start=1)
    ]
    return said + told


def verdict_of(case: dict[str, Any]) -> str:
    name = "Sohee" if case["after"].isascii() else "소희"
    judge = Promotions(sources_of(case), names=Names(name), before=case["before"])
    return judge.judge(case["after"]) or "kept"


def test_nearly_every_case_is_right_and_no_rise_stays_without_evidence() -> None:
    wrong = {case["why"]: verdict_of(case) for case in CASES if verdict_of(case) != case["is"]}
    kept = [case["why"] for case in CASES if case["is"] != "kept" and verdict_of(case) == "kept"]
    share = 1 - len(wrong) / len(CASES)
    print(f"{len(CASES)} promotion and resolution cases: {share:.1%} right")
    assert len(CASES) >= 80
    assert kept == []
    assert share >= 0.95, wrong
