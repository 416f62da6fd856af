"""Entries leave the lorebook, or come back to it, some at a time."""

from collections.abc import Sequence

from shared.errors import StaleClaimError
from shared.history.standing import Standing
from shared.model.cycle import RollbackAudit, cycle_id_of
from shared.summarizing.working import HeldCycle


def move_entries(held: HeldCycle, then: Standing) -> None:
    """Have exactly the entries of the cycles that stood then in the lorebook, others withdrawn.

    What is older than the audits stays where it is.

    Each commit holds some of them and the cycle's record, so a worker that has lost the cycle
    moves nothing, and one that takes it over finds what is left to do. Meanwhile a prompt passes
    over entries that its index names and that are gone. Raises StaleClaimError.
    """
    rollbacks = held.ports.rollbacks
    placed = rollbacks.placed_entries(held.key)
    active, known = then.cycle_ids, cycle_id_of(then.since)
    leaving = [
        (name, True) for name, of in placed.active.items() if of > known and of not in active
    ]
    returning = [(name, False) for name, of in placed.withdrawn.items() if of in active]
    moves = [*sorted(leaving), *sorted(returning)]
    for start in range(0, len(moves), rollbacks.entries_at_once):
        held.check_lease()
        _move(held, moves[start : start + rollbacks.entries_at_once])


def _move(held: HeldCycle, moves: Sequence[tuple[str, bool]]) -> None:
    leaving = [name for name, leaves in moves if leaves]
    returning = [name for name, leaves in moves if not leaves]
    audit = _audit(held)
    counted = audit.model_copy(
        update={
            "entries_withdrawn": audit.entries_withdrawn + len(leaving),
            "entries_returned": audit.entries_returned + len(returning),
        }
    )
    moved = {"rollback": counted, "moved_at": held.ports.clock.now()}
    held.read = held.ports.rollbacks.move_entries(
        held.key,
        held.read,
        held.cycle.model_copy(update=moved),
        leaving=leaving,
        returning=returning,
    )


def _audit(held: HeldCycle) -> RollbackAudit:
    if held.cycle.rollback is None:
        raise StaleClaimError("the rollback's record is gone")
    return held.cycle.rollback
