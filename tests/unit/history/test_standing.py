"""What stands: active(g) is active(g-1) and its own, or active(t) where g went back to t."""

import pytest

from shared.history.standing import BrokenChainError, consumed_by, standing, standing_since
from shared.model.cycle import Consumed, Cycle, CycleStatus
from tests.factories import NOW, message


def summary(generation: int, *, status: CycleStatus = "applied") -> Cycle:
    """A cycle that consumed ten messages."""
    return Cycle(
        cycle_id=f"{generation:06d}",
        kind="summary",
        status=status,
        requested_at=NOW,
        consumed=Consumed(
            first=message(10 * generation).ref,
            last=message(10 * generation + 9).ref,
            count=10,
            tokens=100,
            turns=4,
            window_start=message(10 * generation + 6).ref,
        ),
    )


def seed(generation: int) -> Cycle:
    return summary(generation).model_copy(update={"kind": "seed", "consumed": None})


def rollback(generation: int, target: int | None) -> Cycle:
    changes = {"kind": "rollback", "consumed": None, "rolled_back_to": target}
    return summary(generation).model_copy(update=changes)


def generations(cycles: list[Cycle], generation: int) -> list[int]:
    return [one.generation for one in standing(cycles, generation).cycles]


def test_without_rollbacks_everything_stands() -> None:
    cycles = [seed(1), summary(2), summary(3)]
    assert generations(cycles, 3) == [1, 2, 3]
    assert generations(cycles, 2) == [1, 2]
    assert generations(cycles, 0) == []


def test_a_rollback_stands_where_its_target_stood() -> None:
    cycles = [summary(1), summary(2), rollback(3, 1), summary(4)]
    assert generations(cycles, 3) == [1]
    assert generations(cycles, 4) == [1, 4]
    assert generations(cycles, 2) == [1, 2]


def test_rolling_back_a_rollback_brings_back_what_it_undid() -> None:
    cycles = [summary(1), summary(2), rollback(3, 0), summary(4), rollback(5, 2), rollback(6, 4)]
    assert generations(cycles, 5) == [1, 2]
    assert generations(cycles, 6) == [4]


def test_cursor_window_and_turns_are_those_of_the_newest_summary_that_stands() -> None:
    cycles = [seed(1), summary(2), summary(3), rollback(4, 2)]
    then = standing(cycles, 4)
    assert then.cursor == message(29).ref
    assert then.window_start == message(26).ref
    assert consumed_by(then.cycles)[1] == 4
    assert consumed_by(standing(cycles, 3).cycles)[1] == 8


def test_before_the_first_summary_nothing_is_consumed() -> None:
    then = standing([seed(1), summary(2)], 1)
    assert (then.cursor, then.window_start, consumed_by(then.cycles)[1]) == (None, None, 0)
    assert then.cycle_ids == {"000001"}


@pytest.mark.parametrize(
    ("cycles", "missing"),
    [
        ([summary(1), summary(3)], 2),
        ([summary(1), summary(2, status="rejected"), summary(3)], 2),
        ([summary(2), summary(3)], 1),
        ([summary(1), summary(2), rollback(3, None)], 3),
        ([summary(1), summary(2), rollback(3, 3)], 3),
    ],
)
def test_a_missing_audit_is_named(cycles: list[Cycle], missing: int) -> None:
    with pytest.raises(BrokenChainError) as raised:
        standing(cycles, 3)
    assert raised.value.generation == missing


def test_an_audit_that_was_rolled_back_over_may_be_missing() -> None:
    assert generations([summary(1), rollback(3, 1), summary(4)], 4) == [1, 4]


def test_what_builds_on_a_missing_audit_says_so() -> None:
    found = standing_since([summary(3), rollback(5, 3), summary(6)], 6)
    assert [one.generation for one in found.cycles] == [3, 6]
    assert found.since == 2
