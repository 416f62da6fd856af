"""The two sides of a canary, one below the other."""

from shared.model.cycle import Cycle, Failure, Output, PromptUsed, Rejection
from shared.model.evidence import EvidenceRow
from tests.factories import NOW
from tools.compare_prompts import compare, table

KEPT, LEFT = "- 필름을 맡겼다.", "- 둘이 결혼했다."


def output(version: str, model: str = "gemini-3-flash-preview", **changes: int | None) -> Output:
    figures: dict[str, int | None] = {
        "tokens_in": 18_000,
        "tokens_out": 1_000,
        "latency_ms": 4_000,
        "cost_microdollars": 12_000,
    }
    return Output.model_validate(
        {
            "text": f"{KEPT}\n{LEFT}",
            "prompt": PromptUsed(name="chat_summary", version=version, sha256=version * 32),
            "model_asked": model,
            "model_answered": model,
            **figures,
            **changes,
        }
    )


def cycle(status: str, made: Output | None, *rejected: Output | None, entries: int = 2) -> Cycle:
    failure = Failure(failure_class="format", reason="no sections")
    rows = (
        EvidenceRow(slot="long_term_memory", line=KEPT, verdict="supported"),
        EvidenceRow(slot="long_term_memory", line=LEFT, verdict="promotion"),
    )
    return Cycle.model_validate(
        {
            "cycle_id": "000001",
            "kind": "summary",
            "status": status,
            "requested_at": NOW,
            "output": made,
            "lorebook_entries": entries if status == "applied" else 0,
            "evidence": rows if status == "applied" else (),
            "rejections": [
                Rejection(kind="summary", failure=failure, output=one) for one in rejected
            ],
        }
    )


def test_each_version_and_model_has_its_own_figures() -> None:
    found = compare(
        [
            cycle("applied", output("v5")),
            cycle("applied", output("v5"), output("v6"), entries=4),
            cycle("applied", output("v6", "gemini-next")),
            cycle("rejected", None, output("v6"), None),
        ]
    )
    told = {
        (side[0], side[2]): (one.applied, one.refused, one.entries, one.lines, one.lines_refused)
        for side, one in found.items()
    }
    assert told == {
        ("chat_summary v5", "gemini-3-flash-preview"): (2, 0, 6, 4, 2),
        ("chat_summary v6", "gemini-3-flash-preview"): (0, 2, 0, 0, 0),
        ("chat_summary v6", "gemini-next"): (1, 0, 2, 2, 1),
    }


def test_a_file_that_was_changed_without_a_new_version_shows() -> None:
    changed = output("v5").model_copy(
        update={"prompt": PromptUsed(name="chat_summary", version="v5", sha256="f" * 64)}
    )
    found = compare([cycle("applied", output("v5")), cycle("applied", changed)])
    assert [side[1] for side in found] == ["ffffffff", "v5v5v5v5"]


def test_the_table_says_what_it_cost_and_nobodys_words() -> None:
    found = compare(
        [
            cycle("applied", output("v5", tokens_in=10_000, cost_microdollars=8_000)),
            cycle("applied", output("v5")),
            cycle("rejected", None, output("v6", "unlisted", cost_microdollars=None)),
        ]
    )
    heading, first, second = table(found).splitlines()
    assert [one.strip() for one in heading.split("  ") if one.strip()][3:6] == [
        "applied",
        "refused",
        "lines refused",
    ]
    assert first.split()[-8:] == ["2", "0", "50.0%", "2.0", "14,000", "1,000", "4,000", "10.00"]
    assert second.split()[-8:] == ["0", "1", "-", "-", "18,000", "1,000", "4,000", "-"]
    assert "필름" not in table(found)
