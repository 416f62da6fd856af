"""When a chat may go on, when its memory has caught up, and when waiting is given up."""

from collections.abc import Sequence

import pytest

from shared.model.cycle import Cycle, CycleStatus, Failure
from tests.factories import NOW
from tools.thread_report import Standing
from tools.waiting import Follower, StalledError, has_room

TRIGGER = 1_000


def standing(
    *, counted: int = 100, pending: int = 0, status: CycleStatus | None = None
) -> Standing:
    failure = Failure(failure_class="configuration", reason="no model: set GEMINI_API_KEY")
    current = status and Cycle(
        cycle_id="000002",
        kind="summary",
        status=status,
        requested_at=NOW,
        failure=failure if status == "blocked" else None,
    )
    return Standing(
        pending_messages=counted,
        pending_tokens=pending,
        consumed_messages=0,
        consumed_tokens=0,
        summary_cycles=1,
        current=current or None,
    )


class Clock:
    """Each wait moves it; it counts nothing else."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.seconds += seconds


def follower(looks: Sequence[Standing], seen: list[Standing] | None = None) -> Follower:
    """Sees `looks` one after another, then the last for ever."""
    left = list(looks)
    clock = Clock()
    return Follower(
        look=lambda: left.pop(0) if len(left) > 1 else left[0],
        trigger=TRIGGER,
        has_ended=lambda: False,
        on_look=(seen if seen is not None else []).append,
        now=clock.now,
        pause=clock.wait,
    )


@pytest.mark.parametrize(
    ("now", "has"),
    [
        (standing(counted=100), True),
        (standing(counted=90), True),
        (standing(counted=89), False),
        (standing(pending=1_499), True),
        (standing(pending=1_499, status="claimed"), True),
        (standing(pending=1_500, status="claimed"), False),
        (standing(pending=1_500), False),
        (standing(pending=1_500, status="blocked"), False),
        (standing(pending=1_500, status="rejected"), True),
    ],
)
def test_a_chat_waits_for_its_memory(now: Standing, has: bool) -> None:
    assert has_room(now, sent=100, trigger=TRIGGER) is has


@pytest.mark.parametrize(
    ("now", "quiet"),
    [
        (standing(), True),
        (standing(counted=99), False),
        (standing(pending=999, status="applied"), True),
        (standing(pending=1_000, status="applied"), False),
        (standing(pending=10, status="claimed"), False),
        (standing(pending=10, status="generated"), False),
        (standing(pending=10, status="waiting"), False),
        (standing(pending=10, status="queued"), True),
        (standing(pending=10, status="blocked"), True),
    ],
)
def test_memory_has_caught_up(now: Standing, quiet: bool) -> None:
    assert now.is_quiet(sent=100, trigger=TRIGGER) is quiet


def test_waiting_ends_when_memory_has_caught_up() -> None:
    seen: list[Standing] = []
    looks = [standing(counted=50), standing(counted=50), standing(pending=1_200), standing()]
    assert follower(looks, seen).wait_until_quiet(100) == looks[-1]
    assert seen == [looks[0], looks[2], looks[3]]


@pytest.mark.parametrize(
    ("last", "why"),
    [
        (standing(counted=99), "nothing has moved for 60 s: 99 messages counted"),
        (standing(pending=1_000, status="queued"), "nothing has moved for 60 s"),
        (standing(pending=1_000, status="claimed"), "nothing has moved for 300 s"),
        (standing(pending=1_000, status="blocked"), "configuration: no model: set GEMINI_API_KEY"),
        (standing(pending=1_000, status="rejected"), "cycle 000002 is rejected"),
    ],
)
def test_waiting_is_given_up(last: Standing, why: str) -> None:
    with pytest.raises(StalledError, match=why):
        follower([last]).wait_until_quiet(100)


def test_waiting_ends_with_the_emulators() -> None:
    waiting = Follower(
        look=lambda: standing(counted=1), trigger=1, has_ended=lambda: True, on_look=print
    )
    with pytest.raises(StalledError, match="the emulators have ended"):
        waiting.wait_for_room(100)
