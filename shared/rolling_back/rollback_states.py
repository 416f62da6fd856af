"""A rollback's own moves between the states of a cycle. Pure, like those in summarizing/states."""

from datetime import datetime

from shared.errors import CycleUnderWayError, StaleClaimError
from shared.model.cycle import Cycle, Failure, Rejection, RollbackAudit, cycle_id_of
from shared.model.slots import Slots
from shared.model.thread import Counter
from shared.ports import CycleRead, MemoryChange
from shared.rolling_back.target import Target
from shared.summarizing.states import MAX_REJECTIONS, TRANSITIONS

GAVE_WAY = Failure(failure_class="transient", reason="a rollback took the cycle's place")


def ask_for_rollback(
    read: CycleRead, *, rolled_back_to: int, audit: RollbackAudit, now: datetime
) -> MemoryChange:
    """Put a rollback on record as the next cycle.

    A summary that nobody works on gives its place up, as does whatever was rejected or blocked;
    what an output has cost stays in the record. Raises CycleUnderWayError for any other.
    """
    asked = {"rolled_back_to": rolled_back_to, "rollback": audit}
    cycle = read.cycle
    if cycle is None:
        return MemoryChange(
            cycle=Cycle(
                cycle_id=cycle_id_of(read.state.generation + 1),
                kind="rollback",
                status="queued",
                requested_at=now,
                moved_at=now,
                rolled_back_to=rolled_back_to,
                rollback=audit,
            )
        )
    _check_gives_way(read, cycle, now)
    return MemoryChange(cycle=_cleared(cycle, now).model_copy(update=asked))


def _check_gives_way(read: CycleRead, cycle: Cycle, now: datetime) -> None:
    lease = read.state.lease
    is_held = lease is not None and lease.expires_at > now
    if is_held or not (cycle.status in {"rejected", "blocked"} or cycle.kind == "summary"):
        why = "is under way" if is_held else f"is {cycle.status} and goes first"
        raise CycleUnderWayError(f"cycle {cycle.cycle_id}, a {cycle.kind}, {why}: ask again later")


def _cleared(cycle: Cycle, now: datetime) -> Cycle:
    """The record as a rollback begins with it; what its audit has to keep stays."""
    kept = cycle.rejections
    if cycle.output is not None:
        gave_way = Rejection(kind=cycle.kind, failure=GAVE_WAY, output=cycle.output)
        kept = (*kept, gave_way)[-MAX_REJECTIONS:]
    return cycle.model_copy(
        update={
            "kind": "rollback",
            "status": "queued",
            "requested_at": now,
            "moved_at": now,
            "requests": cycle.requests + 1,
            "not_before": None,
            "lease_token": None,
            "consumed": None,
            "output": None,
            "failure": None,
            "rejections": tuple(one.without_text() for one in kept),
            "format_failures": 0,
            "content_failures": 0,
            "episode_play_ids": (),
            "episode_sources": (),
            "plays_read": {},
            "import_request": None,
        }
    )


def restore(
    read: CycleRead,
    target: Target,
    *,
    before: Slots,
    after: Slots,
    pending: Counter,
    now: datetime,
) -> MemoryChange:
    """The end of a rollback: generation, cursor, window and turns as of its goal, and the audit.

    `pending` is what the counter moves by. Suspicion of a message ends: it is sought anew.
    """
    cycle, audit = _claimed(read)
    moved = audit.model_copy(update=dict(pending))
    return MemoryChange(
        state=read.state.model_copy(
            update={
                "generation": cycle.generation,
                "cursor": target.then.cursor,
                "window_start": target.then.window_start,
                "turns": target.turns(read.state.turns),
                "suspects": None,
                "lease": None,
            }
        ),
        cycle=cycle.model_copy(
            update={
                "status": TRANSITIONS["claimed", "restore"],
                "before": before,
                "after": after,
                "applied_at": now,
                "failure": None,
                "rollback": moved,
            }
        ),
        consumed=Counter(
            pending_tokens=-pending.pending_tokens, pending_messages=-pending.pending_messages
        ),
    )


def step_aside(read: CycleRead) -> MemoryChange:
    """A rollback whose goal is gone hands its place to the next summary, as an empty seed does."""
    cycle, _ = _claimed(read)
    return MemoryChange(
        state=read.state.model_copy(update={"lease": None}),
        cycle=cycle.model_copy(
            update={
                "kind": "summary",
                "status": TRANSITIONS["claimed", "withdraw"],
                "lease_token": None,
                "rolled_back_to": None,
                "rollback": None,
            }
        ),
    )


def _claimed(read: CycleRead) -> tuple[Cycle, RollbackAudit]:
    cycle = read.cycle
    if cycle is None or cycle.status != "claimed" or cycle.rollback is None:
        raise StaleClaimError("the rollback's record is gone or has moved on")
    return cycle, cycle.rollback
