"""The states of a cycle and the moves between them; seeds live by the same rules.

    queued ─┐
    waiting ─┼─ claim ─▶ claimed ─ output kept ─▶ generated ─ one commit ─▶ applied
    claimed ─┘ (lease expired)        │               │
                                      ├─ wait ─▶ waiting   (transient, or one more try)
                                      ├─ reject ─▶ rejected (format, content)
                                      └─ block ─▶ blocked   (configuration)
    rejected, blocked ─ asked again ─▶ queued
    what it read has been edited or deleted ─ discard ─▶ waiting, without its output
    claimed ─ restore ─▶ applied      (a rollback: no model, no output)
    any unfinished ─ roused ─▶ itself, with a new task (the old one has vanished)
    a seed with nothing to read ─ withdraw ─▶ queued, as a summary
    an import with nothing to read ─▶ rejected, without a failure

Pure: each move answers new documents, and the adapter commits them if nothing has moved since
they were read. Source: design, "A cycle loses nothing and runs once".
"""

from datetime import datetime, timedelta
from typing import Literal

from shared.errors import CycleUnderWayError, RetryLaterError, StaleClaimError
from shared.model.cycle import (
    Consumed,
    Cycle,
    CycleKind,
    CycleStatus,
    Failure,
    Output,
    Rejection,
    cycle_id_of,
)
from shared.model.evidence import EvidenceRow
from shared.model.memory_import import ImportRequest, PlayRead
from shared.model.slots import Slots
from shared.model.thread import Lease, MemoryState, MessageRef
from shared.ports import CycleRead, MemoryChange

MAX_REJECTIONS = 8  # outputs kept for the audit; a document holds at most 1 MiB

REVISED = Failure(
    failure_class="transient", reason="what it was made from has been edited or deleted"
)

Move = Literal[
    "ask",
    "claim",
    "note",
    "keep",
    "apply",
    "wait",
    "discard",
    "reject",
    "block",
    "withdraw",
    "restore",
]

TRANSITIONS: dict[tuple[CycleStatus, Move], CycleStatus] = {
    ("rejected", "ask"): "queued",
    ("blocked", "ask"): "queued",
    ("queued", "claim"): "claimed",
    ("waiting", "claim"): "claimed",
    ("claimed", "claim"): "claimed",
    ("generated", "claim"): "generated",
    ("claimed", "note"): "claimed",
    ("claimed", "keep"): "generated",
    ("generated", "apply"): "applied",
    ("claimed", "wait"): "waiting",
    ("generated", "wait"): "waiting",
    ("claimed", "discard"): "waiting",
    ("generated", "discard"): "waiting",
    ("claimed", "reject"): "rejected",
    ("generated", "reject"): "rejected",
    ("claimed", "block"): "blocked",
    ("generated", "block"): "blocked",
    ("queued", "withdraw"): "rejected",
    ("waiting", "withdraw"): "rejected",
    ("claimed", "withdraw"): "rejected",
    ("claimed", "restore"): "applied",
}


def ask(read: CycleRead, *, kind: CycleKind, now: datetime) -> MemoryChange | None:
    """Ask for the next cycle; None when it has been asked for already and is still to come."""
    if read.cycle is None:
        cycle_id = cycle_id_of(read.state.generation + 1)
        return MemoryChange(
            cycle=Cycle(
                cycle_id=cycle_id, kind=kind, status="queued", requested_at=now, moved_at=now
            )
        )
    status = TRANSITIONS.get((read.cycle.status, "ask"))
    if status is None:
        return None
    return MemoryChange(
        cycle=read.cycle.model_copy(
            update={
                "kind": kind,
                "status": status,
                "requested_at": now,
                "moved_at": now,
                "requests": read.cycle.requests + 1,
                "failure": None,
                "format_failures": 0,
                "content_failures": 0,
                "consumed": None,
                "expires_at": None,
                "import_request": read.cycle.import_request if kind == "import" else None,
            }
        )
    )


def rouse(read: CycleRead, *, now: datetime) -> MemoryChange | None:
    """Make room for a new task of an unfinished cycle, whose own must have vanished.

    None when the cycle has ended, or a worker holds it.
    """
    cycle, lease = read.cycle, read.state.lease
    if cycle is None or (cycle.status, "claim") not in TRANSITIONS:
        return None
    if lease is not None and lease.expires_at > now:
        return None
    return MemoryChange(
        cycle=cycle.model_copy(update={"requests": cycle.requests + 1, "moved_at": now})
    )


def ask_for_seed(read: CycleRead, *, now: datetime) -> MemoryChange | None:
    """Ask for a seed; it goes before a summary that was asked for and not begun.

    The summary is asked for again when the seed has ended, if it is still due.
    """
    return _take_over(read, "seed", now) or ask(read, kind="seed", now=now)


def ask_for_import(
    read: CycleRead, *, request: ImportRequest, now: datetime
) -> MemoryChange | None:
    """Ask for an import, which goes before a summary as a seed does; None while it has to wait.

    An import that was asked for and not begun is taken over too: it would read the same plays.
    """
    change = _take_over(read, "import", now) or ask(read, kind="import", now=now)
    if change is None:
        return None
    cycle = change.cycle.model_copy(update={"import_request": request})
    return change.model_copy(update={"cycle": cycle})


def _take_over(read: CycleRead, kind: CycleKind, now: datetime) -> MemoryChange | None:
    """The place of what is asked for and not begun, a summary or one's own kind's."""
    queued = read.cycle
    taken = {"summary", "import"} if kind == "import" else {"summary"}
    if queued is None or queued.status != "queued" or queued.kind not in taken:
        return None
    update = {"kind": kind, "requests": queued.requests + 1, "requested_at": now, "moved_at": now}
    return MemoryChange(cycle=queued.model_copy(update=update))


def claim(
    read: CycleRead, *, kind: CycleKind, token: str, now: datetime, lease: timedelta
) -> MemoryChange | None:
    """Take the cycle for `lease`; None when there is nothing left to do.

    A kept output goes where what it was made from has been edited or deleted since. Raises
    RetryLaterError while another worker's lease on this thread lives.
    """
    cycle, state = read.cycle, read.state
    if cycle is None or cycle.kind != kind or cycle.generation <= state.generation:
        return None
    status = TRANSITIONS.get((cycle.status, "claim"))
    if status is None:
        return None
    if state.lease is not None and state.lease.expires_at > now:
        raise CycleUnderWayError(f"cycle {state.lease.cycle_id} is under way")
    if cycle.not_before is not None and cycle.not_before > now:
        raise RetryLaterError(f"cycle {cycle.cycle_id} is to rest a while yet")
    if cycle.generation != state.generation + 1:
        raise StaleClaimError(f"cycle {cycle.cycle_id} does not follow generation")
    held = Lease(cycle_id=cycle.cycle_id, token=token, expires_at=now + lease)
    stale = cycle.output is not None and cycle.revision != state.revision
    return MemoryChange(
        state=state.model_copy(update={"lease": held}),
        cycle=cycle.model_copy(
            update={
                **(_without_output(cycle) if stale else {}),
                "status": "claimed" if stale else status,
                "attempts": cycle.attempts + 1,
                "lease_token": token,
                "moved_at": now,
            }
        ),
    )


def check_lease(read: CycleRead, *, now: datetime) -> None:
    """Check that our lease still lives before a write. Raises StaleClaimError."""
    lease = read.state.lease
    if lease is None or lease.expires_at <= now:
        raise StaleClaimError("the lease has expired")


def note_plays(
    held: CycleRead,
    *,
    play_ids: tuple[str, ...],
    summaries: dict[str, tuple[str, ...]],
    read: dict[str, PlayRead],
    sources: tuple[str, ...] = (),
) -> MemoryChange:
    """Put on record which plays a seed or import reads, and the summaries written for it so far.

    `sources` are what the model is about to read, and `read` is how far the plays have gone.
    """
    return _move(
        held,
        "note",
        episode_play_ids=play_ids,
        episode_summaries=summaries,
        episode_sources=sources,
        plays_read=read,
    )


def keep_output(read: CycleRead, *, output: Output, consumed: Consumed | None) -> MemoryChange:
    """Keep what the model answered (redacted) before anything is made of it."""
    return _move(
        read,
        "keep",
        output=output,
        consumed=consumed,
        revision=read.state.revision,
        failure=None,
    )


def apply(
    read: CycleRead,
    *,
    before: Slots,
    after: Slots,
    entries: int,
    evidence: tuple[EvidenceRow, ...] = (),
    now: datetime,
) -> MemoryChange:
    """The end of a cycle: generation, cursor, window and audit; slots ride in the same commit."""
    moved = _move(
        read,
        "apply",
        before=before,
        after=after,
        lorebook_entries=entries,
        evidence=evidence,
        applied_at=now,
        failure=None,
    )
    cycle = moved.cycle
    fence: dict[str, object] = {"generation": cycle.generation, "lease": None}
    if cycle.consumed is not None:
        fence["cursor"] = cycle.consumed.last
        fence["turns"] = read.state.turns + cycle.consumed.turns
        fence["window_start"] = cycle.consumed.window_start
        fence["reread"] = ()
        fence["suspects"] = _suspects_left(read.state.suspects, cycle.consumed.readable)
    cycle = cycle.model_copy(update={"rejections": _rejections_left(read.state, cycle)})
    state = read.state.model_copy(update=fence)
    return moved.model_copy(update={"state": state, "cycle": cycle})


def _rejections_left(state: MemoryState, cycle: Cycle) -> tuple[Rejection, ...]:
    """What was refused before may have read further than what is applied: another kind of cycle
    whose place this one took, or a summary of more messages than those under suspicion.
    """
    read_more = state.suspects is not None
    return tuple(
        one.without_text() if read_more or one.kind != cycle.kind else one
        for one in cycle.rejections
    )


def _suspects_left(suspects: int | None, consumed: int) -> int | None:
    """How many of the messages after the new cursor are still under suspicion."""
    return None if suspects is None or suspects <= consumed else suspects - consumed


def wait(
    read: CycleRead,
    *,
    failure: Failure | None,
    suspects: int | None = None,
    not_before: datetime | None = None,
) -> MemoryChange:
    """Let the cycle go, to be claimed again later; an output that did not read is set aside.

    `suspects` narrows down where the message stands that the model refuses; `not_before` is when
    the model may be asked again.
    """
    change = _released(read, "wait", failure)
    rested = change.cycle.model_copy(update={"not_before": not_before})
    change = change.model_copy(update={"cycle": rested})
    if suspects is None or change.state is None:
        return change
    return change.model_copy(
        update={"state": change.state.model_copy(update={"suspects": suspects})}
    )


def leave_unread(read: CycleRead, *, failure: Failure) -> MemoryChange:
    """Go on without the messages that were to be read again: one of them may be refused."""
    change = wait(read, failure=failure)
    cycle = change.cycle.model_copy(update={"content_failures": 0})
    state = change.state and change.state.model_copy(update={"reread": ()})
    return change.model_copy(update={"cycle": cycle, "state": state})


def set_aside(read: CycleRead, *, message: MessageRef, failure: Failure) -> MemoryChange:
    """The one message that the model refuses is found: the cycle goes on without it."""
    change = wait(read, failure=failure)
    found = (*change.cycle.set_aside, message)
    cycle = change.cycle.model_copy(update={"set_aside": found, "content_failures": 0})
    state = change.state and change.state.model_copy(update={"suspects": None})
    return change.model_copy(update={"cycle": cycle, "state": state})


def discard(read: CycleRead) -> MemoryChange:
    """Begin anew: what the cycle has read has been edited or deleted since."""
    moved = _move(read, "discard", lease_token=None, **_without_output(_required(read)))
    return moved.model_copy(update={"state": read.state.model_copy(update={"lease": None})})


def _without_output(cycle: Cycle) -> dict[str, object]:
    if cycle.output is None:
        return {"consumed": None}
    paid = Rejection(kind=cycle.kind, failure=REVISED, output=cycle.output)
    kept = (*cycle.rejections, paid.without_text())[-MAX_REJECTIONS:]
    return {"output": None, "consumed": None, "rejections": kept}


def reject(read: CycleRead, *, failure: Failure) -> MemoryChange:
    """Give the cycle up: the old slots stay, the output is kept for the audit."""
    return _released(read, "reject", failure)


def block(read: CycleRead, *, failure: Failure) -> MemoryChange:
    """Stop until a setting is mended: no retry can cure it."""
    return _released(read, "block", failure)


def withdraw(read: CycleRead) -> MemoryChange:
    """A seed that finds nothing to read leaves its place to a summary, once one is due."""
    moved = _move(read, "withdraw", kind="summary", lease_token=None, episode_play_ids=())
    return moved.model_copy(update={"state": read.state.model_copy(update={"lease": None})})


def find_nothing(read: CycleRead) -> MemoryChange:
    """An import that finds nothing to read ends; whatever is asked for next takes its place."""
    return _released(read, "reject", None)


def _released(read: CycleRead, move: Move, failure: Failure | None) -> MemoryChange:
    cycle = _required(read)
    update: dict[str, object] = {"failure": failure, "lease_token": None}
    if failure is not None and failure.failure_class in {"format", "content"}:
        rejection = Rejection(kind=cycle.kind, failure=failure, output=cycle.output)
        update["rejections"] = (*cycle.rejections, rejection)[-MAX_REJECTIONS:]
        counted = f"{failure.failure_class}_failures"
        update[counted] = getattr(cycle, counted) + 1
    if move == "block" or "rejections" in update:
        update["output"] = None
        update["consumed"] = None
    moved = _move(read, move, **update)
    return moved.model_copy(update={"state": read.state.model_copy(update={"lease": None})})


def _move(read: CycleRead, move: Move, **update: object) -> MemoryChange:
    cycle = _required(read)
    status = TRANSITIONS.get((cycle.status, move))
    if status is None:
        raise StaleClaimError(f"cycle {cycle.cycle_id} is {cycle.status} and cannot {move}")
    return MemoryChange(
        state=read.state, cycle=cycle.model_copy(update={"status": status, **update})
    )


def _required(read: CycleRead) -> Cycle:
    if read.cycle is None:
        raise StaleClaimError("the cycle's record is gone")
    return read.cycle
