"""Each move between the states of a cycle, and each that is refused."""

from datetime import timedelta
from typing import Any

import pytest

from shared.errors import RetryLaterError, StaleClaimError
from shared.model.cycle import (
    Consumed,
    Cycle,
    CycleKind,
    CycleStatus,
    Failure,
    Output,
    PromptUsed,
    Rejection,
)
from shared.model.slots import Slots
from shared.model.thread import Lease, MemoryState
from shared.ports import CycleRead, MemoryChange
from shared.summarizing import states
from tests.factories import NOW, message

LEASE = timedelta(minutes=9)
OUTPUT = Output(
    text="…",
    prompt=PromptUsed(name="chat_summary", version="v5", sha256="0"),
    model_asked="m",
    model_answered="m",
    tokens_in=1,
    tokens_out=1,
    latency_ms=1,
)
CONSUMED = Consumed(
    first=message(0).ref,
    last=message(9).ref,
    count=10,
    tokens=100,
    readable=10,
    window_start=message(6).ref,
)
FORMAT = Failure(failure_class="format", reason="a heading is missing")


def read(status: CycleStatus | None, *, generation: int = 0, **changes: Any) -> CycleRead:
    """A thread at `generation` whose next cycle is in `status`."""
    lease = changes.pop("lease", None)
    cycle = status and Cycle(
        cycle_id=f"{generation + 1:06d}",
        kind=changes.pop("kind", "summary"),
        status=status,
        requested_at=NOW,
        **changes,
    )
    return CycleRead(state=MemoryState(generation=generation, lease=lease), cycle=cycle or None)


def lease(seconds: float) -> Lease:
    return Lease(cycle_id="000001", token="t0", expires_at=NOW + timedelta(seconds=seconds))


def claim(found: CycleRead, kind: CycleKind = "summary") -> MemoryChange | None:
    return states.claim(found, kind=kind, token="t1", now=NOW, lease=LEASE)


def moved(change: MemoryChange | None) -> tuple[CycleStatus, Lease | None]:
    assert change is not None
    return change.cycle.status, change.state.lease if change.state else None


def test_asking_makes_the_record_of_the_next_generation() -> None:
    change = states.ask(read(None, generation=4), kind="summary", now=NOW)
    assert change is not None
    assert (change.cycle.cycle_id, change.cycle.status) == ("000005", "queued")


@pytest.mark.parametrize("status", ["queued", "claimed", "generated", "waiting", "applied"])
def test_asking_twice_changes_nothing(status: CycleStatus) -> None:
    assert states.ask(read(status), kind="summary", now=NOW) is None


@pytest.mark.parametrize("status", ["rejected", "blocked"])
def test_what_was_given_up_may_be_asked_for_again(status: CycleStatus) -> None:
    change = states.ask(read(status, failure=FORMAT), kind="summary", now=NOW)
    assert change is not None
    assert (change.cycle.status, change.cycle.requests, change.cycle.failure) == ("queued", 2, None)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("queued", "claimed"),
        ("waiting", "claimed"),
        ("claimed", "claimed"),
        ("generated", "generated"),
    ],
)
def test_a_claim_takes_the_lease(before: CycleStatus, after: CycleStatus) -> None:
    change = claim(read(before, lease=lease(-1)))
    status, held = moved(change)
    assert status == after
    assert held == Lease(cycle_id="000001", token="t1", expires_at=NOW + LEASE)
    assert change is not None
    assert change.cycle.attempts == 1


@pytest.mark.parametrize("status", ["applied", "rejected", "blocked"])
def test_there_is_nothing_to_claim_in_a_finished_cycle(status: CycleStatus) -> None:
    assert claim(read(status)) is None


def test_a_task_without_a_record_does_nothing() -> None:
    assert claim(read(None)) is None


def test_a_task_of_an_applied_generation_does_nothing() -> None:
    found = read("generated", generation=0)
    ahead = found.model_copy(update={"state": MemoryState(generation=1)})
    assert claim(ahead) is None


def test_a_live_lease_of_another_makes_a_claim_wait() -> None:
    with pytest.raises(RetryLaterError):
        claim(read("claimed", lease=lease(1)))


def test_a_summary_task_leaves_a_seed_alone() -> None:
    assert claim(read("queued", kind="seed"), "summary") is None


def test_a_seed_goes_before_a_summary_that_has_not_begun() -> None:
    change = states.ask_for_seed(read("queued"), now=NOW)
    assert change is not None
    assert (change.cycle.kind, change.cycle.status) == ("seed", "queued")
    assert states.ask_for_seed(read("claimed"), now=NOW) is None


def test_an_output_is_kept_before_it_is_applied() -> None:
    change = states.keep_output(read("claimed"), output=OUTPUT, consumed=CONSUMED)
    assert (change.cycle.status, change.cycle.output) == ("generated", OUTPUT)


def test_applying_moves_generation_cursor_and_window_and_frees_the_lease() -> None:
    found = read("generated", output=OUTPUT, consumed=CONSUMED, lease=lease(60))
    change = states.apply(found, before=Slots(), after=Slots(), entries=2, now=NOW)
    assert change.state == MemoryState(
        generation=1, cursor=message(9).ref, window_start=message(6).ref, lease=None
    )
    assert (change.cycle.status, change.cycle.lorebook_entries) == ("applied", 2)


def test_a_seed_moves_no_cursor() -> None:
    change = states.apply(
        read("generated", kind="seed"), before=Slots(), after=Slots(), entries=0, now=NOW
    )
    assert change.state == MemoryState(generation=1)


def test_an_output_that_does_not_read_is_set_aside_for_one_more_try() -> None:
    change = states.wait(read("generated", output=OUTPUT, lease=lease(60)), failure=FORMAT)
    assert moved(change) == ("waiting", None)
    assert change.cycle.output is None
    assert [one.output for one in change.cycle.rejections] == [OUTPUT]


def test_a_rejection_keeps_the_output_for_the_audit() -> None:
    change = states.reject(read("generated", output=OUTPUT, lease=lease(60)), failure=FORMAT)
    assert moved(change) == ("rejected", None)
    assert change.cycle.rejections[0].failure == FORMAT


@pytest.mark.parametrize(
    ("kind", "suspects", "text"),
    [("summary", None, OUTPUT.text), ("seed", None, ""), ("summary", 3, "")],
)
def test_a_refused_output_that_read_more_than_is_applied_loses_its_words(
    kind: CycleKind, suspects: int | None, text: str
) -> None:
    refused = (Rejection(kind=kind, failure=FORMAT, output=OUTPUT),)
    found = read("generated", output=OUTPUT, lease=lease(60), rejections=refused)
    state = found.state.model_copy(update={"suspects": suspects})
    found = found.model_copy(update={"state": state})
    change = states.apply(found, before=Slots(), after=Slots(), entries=0, now=NOW)
    assert [one.output and one.output.text for one in change.cycle.rejections] == [text]


def test_a_block_frees_the_lease() -> None:
    failure = Failure(failure_class="configuration", reason="no model")
    assert moved(states.block(read("claimed", lease=lease(60)), failure=failure)) == (
        "blocked",
        None,
    )


def test_a_seed_with_nothing_to_read_leaves_its_place_to_a_summary() -> None:
    change = states.withdraw(read("claimed", kind="seed", lease=lease(60)))
    assert (moved(change), change.cycle.kind) == (("rejected", None), "summary")
    assert states.rouse(CycleRead(state=MemoryState(), cycle=change.cycle), now=NOW) is None


@pytest.mark.parametrize(
    ("status", "move"),
    [("queued", "keep"), ("claimed", "apply"), ("applied", "wait"), ("applied", "reject")],
)
def test_every_other_move_is_refused(status: CycleStatus, move: str) -> None:
    found = read(status)
    moves: dict[str, Any] = {
        "keep": lambda: states.keep_output(found, output=OUTPUT, consumed=None),
        "apply": lambda: states.apply(found, before=Slots(), after=Slots(), entries=0, now=NOW),
        "wait": lambda: states.wait(found, failure=None),
        "reject": lambda: states.reject(found, failure=FORMAT),
    }
    with pytest.raises(StaleClaimError):
        moves[move]()


@pytest.mark.parametrize("held", [None, lease(0), lease(-5)])
def test_a_worker_that_outlived_its_lease_may_not_write(held: Lease | None) -> None:
    with pytest.raises(StaleClaimError):
        states.check_lease(read("claimed", lease=held), now=NOW)
    states.check_lease(read("claimed", lease=lease(1)), now=NOW)
