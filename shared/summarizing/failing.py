"""How a cycle ends that did not succeed: each class of failure has its own way (design, point 8).

| class | what happens |
|---|---|
| transient, budget | `waiting`; the queue tries again |
| format | one more try, then `rejected`; the old slots stay |
| content | one more try, then the messages are halved until the refused one is set aside |
| configuration | `blocked`; no retry cures it, the sweep probes |
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import assert_never

from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    ModelError,
    ModelUnavailableError,
    RetryLaterError,
    RevisedError,
)
from shared.events import ConflictDmMemoryUpdate
from shared.model.cycle import CycleResult, Failure
from shared.model.thread import MemoryStatus
from shared.ports import HeldImport
from shared.summarizing import states
from shared.summarizing.working import HeldCycle

MAX_FORMAT_FAILURES = 2
CONTENT_TRIES = 2
LONGEST_REST = timedelta(minutes=15)

Failing = ModelError | RetryLaterError | DocumentNotFoundError | DocumentMisshapenError


def end_in_failure(
    held: HeldCycle,
    error: Failing,
    *,
    memory_status: MemoryStatus | None = None,
    live_import: HeldImport | None = None,
) -> CycleResult:
    """Put the cycle into the state its failure belongs to, and let the lease go.

    Answers `rejected` or `blocked`; raises RetryLaterError where time or one more try may cure
    it. `memory_status` and `live_import` are what the thread shows once the cycle is given up.
    """
    shown = {"memory_status": memory_status, "live_import": live_import}
    if isinstance(error, RevisedError):
        held.commit(states.discard(held.read))
        raise error
    if isinstance(error, RetryLaterError):
        held.commit(states.wait(held.read, failure=None))
        raise error
    failure = _failure_of(error)
    match failure.failure_class:
        case "configuration":
            return _give_up(held, failure, shown, blocked=True)
        case "transient" | "budget":
            not_before = _not_before(error, held)
            held.commit(states.wait(held.read, failure=failure, not_before=not_before))
        case "format":
            if held.cycle.format_failures + 1 >= MAX_FORMAT_FAILURES:
                return _give_up(held, failure, shown)
            held.commit(states.wait(held.read, failure=failure))
        case "content":
            if held.snapshot is None and held.cycle.content_failures + 1 >= CONTENT_TRIES:
                return _give_up(held, failure, shown)
            _narrow_down(held, failure)
        case _:
            assert_never(failure.failure_class)
    raise RetryLaterError(f"cycle {held.cycle.cycle_id}: {failure.failure_class}") from error


def _not_before(error: Failing, held: HeldCycle) -> datetime | None:
    """When the provider said that it may be asked again, a quarter of an hour at most."""
    seconds = error.retry_after_seconds if isinstance(error, ModelUnavailableError) else None
    if seconds is None:
        return None
    return held.ports.clock.now() + min(timedelta(seconds=seconds), LONGEST_REST)


def _narrow_down(held: HeldCycle, failure: Failure) -> None:
    """Halve the messages under suspicion; a single one left is set aside, and memory goes on.

    Messages that were only to be read again are left unread first.
    """
    snapshot = held.snapshot
    if snapshot is not None and snapshot.again:
        held.commit(states.leave_unread(held.read, failure=failure))
        return
    known = held.read.state.suspects
    if snapshot is None or (known is None and held.cycle.content_failures + 1 < CONTENT_TRIES):
        held.commit(states.wait(held.read, failure=failure))
    elif len(snapshot.readable) > 1:
        held.commit(states.wait(held.read, failure=failure, suspects=len(snapshot.messages)))
    else:
        refused = snapshot.readable[0]
        change = states.set_aside(held.read, message=refused.ref, failure=failure)
        held.commit(change.model_copy(update={"refused_message_id": refused.message_id}))
        report_conflict(held, "message_set_aside")


def _give_up(
    held: HeldCycle,
    failure: Failure,
    shown: Mapping[str, object],
    *,
    blocked: bool = False,
) -> CycleResult:
    move = states.block if blocked else states.reject
    change = move(held.read, failure=failure)
    held.commit(change.model_copy(update=shown))
    if not blocked:
        report_conflict(held, failure.failure_class)
    return CycleResult(cycle_id=held.cycle.cycle_id, outcome="blocked" if blocked else "rejected")


def _failure_of(error: Failing) -> Failure:
    failure_class = error.failure_class if isinstance(error, ModelError) else "configuration"
    return Failure.model_validate({"failure_class": failure_class, "reason": str(error)})


def report_conflict(held: HeldCycle, reason: str) -> None:
    """An output was refused or corrected; the reason names the check and never the text."""
    held.ports.events.emit(
        ConflictDmMemoryUpdate(
            thread_id=held.key.soul_id,
            soul_id=held.key.soul_id,
            cycle_id=held.cycle.cycle_id,
            reason=reason,
        )
    )
