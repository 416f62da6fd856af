"""A thread's memory as it was after an earlier generation (PRD §9.3: LTM history, rollback)."""

from shared.errors import DocumentNotFoundError, InvalidArgumentError, StaleClaimError
from shared.model.base import Frozen
from shared.model.cycle import Cycle, CycleResult, RollbackAudit, cycle_id_of
from shared.model.thread import ThreadKey
from shared.ports import CycleRead
from shared.rolling_back.restoring import restore_memory
from shared.rolling_back.rollback_states import ask_for_rollback
from shared.rolling_back.target import slots_after, target_of
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import CyclePorts, hold


class RollbackMemory(Frozen):
    """Go back to what memory was after `generation` (0: before the first cycle).

    `requested_by` is the operator's uid; the same `request_id` again is the same rollback.
    """

    thread: ThreadKey
    generation: int
    request_id: str
    requested_by: str


class MemoryRolledBack(Frozen):
    """What a rollback came to; `generation` is its own, which is the present one now.

    `pending_messages` and `pending_tokens` are what the counter moved by.
    """

    cycle_id: str
    generation: int
    rolled_back_to: int
    slots_changed: tuple[str, ...]
    entries_withdrawn: int
    entries_returned: int
    pending_messages: int
    pending_tokens: int


def rollback_memory(command: RollbackMemory, *, ports: CyclePorts) -> MemoryRolledBack:
    """Put slots, lorebook, cursor and counter back to where `generation` left them, as a cycle.

    Messages that undone cycles consumed are pending again; when they are many a new cycle is
    asked for at once. Raises InvalidArgumentError and DocumentNotFoundError, having changed
    nothing, where there is no such generation to go back to; CycleUnderWayError while another
    cycle goes first; StaleClaimError and RetryLaterError where asking again will do.
    """
    key = command.thread
    # In this order: a rollback that is applied in between shows in the one or in the other.
    found = ports.memory.read_cycle(key, None)
    asked = ports.rollbacks.find_asked(key, command.request_id)
    if asked is None:
        _check_target(command, found, ports)
        audit = RollbackAudit(request_id=command.request_id, requested_by=command.requested_by)
        change = ask_for_rollback(
            found, rolled_back_to=command.generation, audit=audit, now=ports.clock.now()
        )
        asked = ports.memory.commit(key, found, change).cycle or change.cycle
    if asked.rolled_back_to != command.generation:
        used = f"has asked for a rollback to generation {asked.rolled_back_to} before"
        raise InvalidArgumentError("request_id", used)
    if asked.status != "applied":
        asked = _take_up(key, asked.generation, ports)
    ask_if_due(key, ports=ports)
    return _answer(asked)


def resume_rollback(key: ThreadKey, generation: int, *, ports: CyclePorts) -> CycleResult:
    """Take up a rollback that is on record, as a task does. Raises what `rollback_memory` does."""
    held = hold(key, ports.memory.read_cycle(key, generation), "rollback", ports=ports)
    if held is None:
        return CycleResult(cycle_id=cycle_id_of(generation), outcome="already_applied")
    done = _answer(restore_memory(held))
    ask_if_due(key, ports=ports)
    return CycleResult(cycle_id=done.cycle_id, outcome="applied", slots_changed=done.slots_changed)


def _take_up(key: ThreadKey, generation: int, ports: CyclePorts) -> Cycle:
    held = hold(key, ports.memory.read_cycle(key, generation), "rollback", ports=ports)
    if held is None:
        raise StaleClaimError(f"cycle {cycle_id_of(generation)} has moved on")
    return restore_memory(held)


def _check_target(command: RollbackMemory, found: CycleRead, ports: CyclePorts) -> None:
    """Whether there is a generation to go back to. Raises what the caller is to be told."""
    key, present = command.thread, found.state.generation
    if ports.threads.read_thread(key) is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    if not 0 <= command.generation < present:
        earlier = f"must be below the thread's present generation, {present}, and not below 0"
        raise InvalidArgumentError("generation", earlier)
    target_of(key, command.generation, present, ports)
    slots_after(key, command.generation, ports)


def _answer(cycle: Cycle) -> MemoryRolledBack:
    """What an applied rollback came to, by its audit."""
    audit, before, after = cycle.rollback, cycle.before, cycle.after
    if audit is None or before is None or after is None or cycle.rolled_back_to is None:
        raise StaleClaimError(f"cycle {cycle.cycle_id} has no audit of a rollback")
    return MemoryRolledBack(
        cycle_id=cycle.cycle_id,
        generation=cycle.generation,
        rolled_back_to=cycle.rolled_back_to,
        slots_changed=tuple(after.changed_from(before)),
        **audit.model_dump(exclude={"request_id", "requested_by"}),
    )
