"""A thread's memory as it was after an earlier generation (PRD §9.3: LTM history, rollback)."""

from shared.errors import (
    DocumentNotFoundError,
    InvalidArgumentError,
    RetryLaterError,
    RevisedError,
    StaleClaimError,
)
from shared.history.standing import BrokenChainError, Standing, standing
from shared.model.base import Frozen
from shared.model.cycle import Cycle, CycleResult, RollbackAudit, cycle_id_of
from shared.model.slots import Slots
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.ports import CycleRead
from shared.rolling_back.fitting import fitted_index
from shared.rolling_back.moving import move_entries
from shared.rolling_back.rollback_states import ask_for_rollback, restore, step_aside
from shared.summarizing import states
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import CyclePorts, HeldCycle, hold
from shared.summarizing.writing import rewritten, slots_of

ATTEMPTS = 3


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
    done = _answer(_work(held))
    ask_if_due(key, ports=ports)
    return CycleResult(cycle_id=done.cycle_id, outcome="applied", slots_changed=done.slots_changed)


def _take_up(key: ThreadKey, generation: int, ports: CyclePorts) -> Cycle:
    held = hold(key, ports.memory.read_cycle(key, generation), "rollback", ports=ports)
    if held is None:
        raise StaleClaimError(f"cycle {cycle_id_of(generation)} has moved on")
    return _work(held)


def _check_target(command: RollbackMemory, found: CycleRead, ports: CyclePorts) -> None:
    """Whether there is a generation to go back to. Raises what the caller is to be told."""
    key, present = command.thread, found.state.generation
    if ports.threads.read_thread(key) is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    if not 0 <= command.generation < present:
        earlier = f"must be below the thread's present generation, {present}, and not below 0"
        raise InvalidArgumentError("generation", earlier)
    _standing(key, command.generation, ports)
    _slots_after(key, command.generation, ports)


def _standing(key: ThreadKey, generation: int, ports: CyclePorts) -> Standing:
    """What stood as of `generation`. Raises DocumentNotFoundError for an audit that is missing."""
    try:
        return standing(ports.rollbacks.past_cycles(key, generation), generation)
    except BrokenChainError as error:
        raise DocumentNotFoundError(_path(key, error.generation)) from error


def _slots_after(key: ThreadKey, generation: int, ports: CyclePorts) -> Slots:
    """The slots that `generation` left; of generation 0, those that the first cycle found."""
    cycle = ports.memory.read_cycle(key, max(generation, 1)).cycle
    slots = None if cycle is None else cycle.after if generation else cycle.before
    if slots is None:
        raise DocumentNotFoundError(_path(key, max(generation, 1)))
    return slots


def _path(key: ThreadKey, generation: int) -> str:
    return f"users/{key.uid}/threads/{key.soul_id}/cycles/{cycle_id_of(generation)}"


def _work(held: HeldCycle) -> Cycle:
    """Do what is left to do; begun anew when something else wrote to memory meanwhile.

    Answers the applied cycle. Raises StaleClaimError for a worker that has lost the cycle.
    """
    for _ in range(ATTEMPTS):
        try:
            return _restore(held)
        except (StaleClaimError, RevisedError):
            _check_still_held(held)
        except DocumentNotFoundError:
            _step_aside(held)
            raise
    held.commit(states.wait(held.read, failure=None))
    raise RetryLaterError(f"cycle {held.cycle.cycle_id}: something else writes to this memory")


def _check_still_held(held: HeldCycle) -> None:
    """Read the cycle again; it is ours as long as its lease has our token."""
    token = held.cycle.lease_token
    held.read = held.ports.memory.read_cycle(held.key, held.cycle.generation)
    lease = held.read.state.lease
    if lease is None or lease.token != token:
        raise StaleClaimError("another worker has the rollback")
    held.check_lease()


def _step_aside(held: HeldCycle) -> None:
    """The audit has gone since it was asked for. Where entries have moved nobody steps aside."""
    audit = held.cycle.rollback
    if audit is None or audit.entries_withdrawn or audit.entries_returned:
        return
    held.commit(step_aside(held.read))
    ask_if_due(held.key, ports=held.ports)


def _restore(held: HeldCycle) -> Cycle:
    """Move the entries; then slots, index, cursor, counter, generation and audit in one commit.

    What the commit rests on is read under the lease, after the fence: who deletes a text from
    audits and slots moves the fence too, and then all of it is read again.
    """
    key, ports = held.key, held.ports
    generation = held.cycle.rolled_back_to
    if generation is None:
        raise StaleClaimError("the rollback's record is gone")
    goal = _standing(key, generation, ports)
    after = _slots_after(key, generation, ports)
    move_entries(held, goal.cycle_ids)
    stored = ports.memory.read_slots(key)
    before = slots_of(stored)
    index = fitted_index(key, held.read.state, lorebook=ports.lorebook, embedder=ports.embedder)
    pending = _pending(key, held.read.state.cursor, goal.cursor, ports)
    held.check_lease()
    now = ports.clock.now()
    change = restore(held.read, goal=goal, before=before, after=after, pending=pending, now=now)
    names = tuple(after.changed_from(before))
    slots = rewritten(stored, after, change.cycle, names=names, tokens=ports.tokens, now=now)
    held.commit(
        change.model_copy(
            update={
                "state": change.state and change.state.model_copy(update=index.fence),
                "slots": slots,
                "shards": index.shards,
                "embeddings": index.embeddings,
            }
        )
    )
    return held.cycle


def _pending(
    key: ThreadKey, now: MessageRef | None, then: MessageRef | None, ports: CyclePorts
) -> Counter:
    """What the counter moves by when the cursor goes from `now` to `then`, back or forward."""
    if now == then:
        return Counter()
    if now is not None and (then is None or then.is_before(now)):
        return ports.rollbacks.counted_between(key, then, now)
    taken = ports.rollbacks.counted_between(key, now, then)
    return Counter(pending_tokens=-taken.pending_tokens, pending_messages=-taken.pending_messages)


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
