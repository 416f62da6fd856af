"""Which lines came, went and stayed in each generation."""

from shared.history.slot_diffs import history_of, slot_diff
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from tests.factories import NOW


def test_lines_come_go_and_stay() -> None:
    before = "- 소희가 필름을 맡겼다.\n- 둘은 강릉에 가기로 했다."
    after = "- 소희가 필름을 찾았다.\n- 둘은 강릉에 가기로 했다.\n- 별명은 필름이다."
    diff = slot_diff("long_term_memory", before, after)
    assert diff.came == ("- 소희가 필름을 찾았다.", "- 별명은 필름이다.")
    assert diff.went == ("- 소희가 필름을 맡겼다.",)
    assert diff.stayed == ("- 둘은 강릉에 가기로 했다.",)
    assert [(line.fate, line.text[2:4]) for line in diff.lines] == [
        ("went", "소희"),
        ("came", "소희"),
        ("stayed", "둘은"),
        ("came", "별명"),
    ]


def test_a_line_that_only_moved_has_stayed() -> None:
    diff = slot_diff("recent_context", "가\n나\n다\n라", "다\n가\n나\n마")
    assert diff.came == ("마",)
    assert diff.went == ("라",)
    assert sorted(diff.stayed) == ["가", "나", "다"]


def test_a_line_twice_is_two_lines() -> None:
    diff = slot_diff("recent_context", "가\n나", "가\n나\n가")
    assert (diff.came, diff.went, diff.stayed) == (("가",), (), ("가", "나"))
    diff = slot_diff("recent_context", "가\n나\n라", "나\n라\n가\n다\n가")
    assert (diff.came, diff.went) == (("다", "가"), ())
    diff = slot_diff("recent_context", "가\n나\n가", "나")
    assert (diff.came, diff.went, diff.stayed) == ((), ("가", "가"), ("나",))


def test_blank_lines_say_nothing() -> None:
    assert not slot_diff("recent_context", "가\n\n나", "가\n나\n").is_changed
    assert slot_diff("recent_context", "", "").lines == ()


def cycle(generation: int, before: Slots | None, after: Slots | None, **changes: object) -> Cycle:
    base: dict[str, object] = {
        "cycle_id": f"{generation:06d}",
        "kind": "summary",
        "status": "applied",
        "requested_at": NOW,
        "applied_at": NOW,
        "before": before,
        "after": after,
    }
    return Cycle.model_validate({**base, **changes})


def test_the_history_goes_by_generation_whatever_order_the_audits_come_in() -> None:
    one, two = Slots(recent_context="- 처음."), Slots(recent_context="- 다음.")
    cycles = [
        cycle(3, two, one, kind="rollback", rolled_back_to=1),
        cycle(4, one, two, status="generated"),
        cycle(1, Slots(), one),
        cycle(2, one, two),
    ]
    history = history_of(cycles)
    assert [(one.generation, one.kind, one.rolled_back_to) for one in history] == [
        (1, "summary", None),
        (2, "summary", None),
        (3, "rollback", 1),
    ]
    recent = [next(s for s in one.slots if s.slot == "recent_context") for one in history]
    assert [(one.came, one.went) for one in recent] == [
        (("- 처음.",), ()),
        (("- 다음.",), ("- 처음.",)),
        (("- 처음.",), ("- 다음.",)),
    ]


def test_a_cycle_whose_audit_lacks_its_slots_has_no_diffs() -> None:
    (only,) = history_of([cycle(1, None, None)])
    assert only.slots == ()
