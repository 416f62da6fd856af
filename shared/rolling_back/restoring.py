"""The work of a rollback that is on record and claimed, from wherever an earlier worker left it."""

from shared.errors import DocumentNotFoundError, RetryLaterError, RevisedError, StaleClaimError
from shared.model.cycle import Cycle
from shared.recall.fitting import fitted_index
from shared.rolling_back.moving import move_entries
from shared.rolling_back.rollback_states import restore, step_aside
from shared.rolling_back.target import pending_of, slots_after, target_of
from shared.summarizing import states
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import HeldCycle
from shared.summarizing.writing import rewritten, slots_of

ATTEMPTS = 3


def restore_memory(held: HeldCycle) -> Cycle:
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
    state = held.read.state
    target = target_of(key, generation, state.generation, ports)
    after = slots_after(key, generation, ports)
    move_entries(held, target.then)
    stored = ports.memory.read_slots(key)
    entries = ports.lorebook.all_entries(key)
    index = fitted_index(key, state, entries, lorebook=ports.lorebook, embedder=ports.embedder)
    pending = pending_of(key, target, ports)
    held.check_lease()
    now = ports.clock.now()
    before = slots_of(stored)
    change = restore(held.read, target, before=before, after=after, pending=pending, now=now)
    names = tuple(after.changed_from(before))
    written = {
        "state": change.state and change.state.model_copy(update=index.fence),
        "slots": rewritten(stored, after, change.cycle, names=names, tokens=ports.tokens, now=now),
        "shards": index.shards,
        "embeddings": index.embeddings,
        "plays_read": target.plays_read(ports.memory.read_plays_read(key)),
    }
    held.commit(change.model_copy(update=written))
    return held.cycle
