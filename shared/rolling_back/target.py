"""What a rollback goes back to, as the audits of earlier cycles tell it."""

from dataclasses import dataclass

from shared.errors import DocumentNotFoundError
from shared.history.standing import BrokenChainError, Standing, consumed_by, standing_since
from shared.model.cycle import Cycle, cycle_id_of
from shared.model.memory_import import PlaysRead
from shared.model.slots import Slots
from shared.model.thread import Counter, ThreadKey
from shared.summarizing.working import CyclePorts


@dataclass(frozen=True, slots=True)
class Target:
    """What stood then, and what stands now; what is older than the audits stands in both."""

    then: Standing
    now: Standing

    @property
    def undone(self) -> list[Cycle]:
        return [one for one in self.now.cycles if one not in self.then.cycles]

    @property
    def returning(self) -> list[Cycle]:
        return [one for one in self.then.cycles if one not in self.now.cycles]

    def plays_read(self, known: PlaysRead | None) -> PlaysRead | None:
        """How far the episodes had been read then, `known` being how far now; None: no other."""
        moved = [one for one in (*self.undone, *self.returning) if one.kind in {"seed", "import"}]
        if not moved:
            return None
        readers = [one for one in self.then.cycles if one.kind in {"seed", "import"}]
        plays = readers[-1].plays_read if readers else {}
        return PlaysRead(plays=plays, until=known.until if known else None)

    def pending(self) -> Counter:
        """What comes back onto the counter (below zero: what leaves it again)."""
        undone, _ = consumed_by(self.undone)
        returning, _ = consumed_by(self.returning)
        return Counter(
            pending_tokens=undone.pending_tokens - returning.pending_tokens,
            pending_messages=undone.pending_messages - returning.pending_messages,
        )

    def turns(self, present: int) -> int:
        """How many turns had been consumed then, of `present` by now."""
        return present - consumed_by(self.undone)[1] + consumed_by(self.returning)[1]


def target_of(key: ThreadKey, generation: int, present: int, ports: CyclePorts) -> Target:
    """Raises DocumentNotFoundError for an audit that is missing, without which nobody can tell."""
    cycles = ports.rollbacks.past_cycles(key, present)
    try:
        target = Target(
            then=standing_since(cycles, generation), now=standing_since(cycles, present)
        )
    except BrokenChainError as error:
        raise DocumentNotFoundError(_path(key, error.generation)) from error
    unknown = max(target.then.since, target.now.since)
    reaches_back = target.then.cursor is not None or not unknown
    if target.then.since != target.now.since or not reaches_back:
        raise DocumentNotFoundError(_path(key, unknown))
    return target


def slots_after(key: ThreadKey, generation: int, ports: CyclePorts) -> Slots:
    """The slots that `generation` left; of generation 0, those that the first cycle found."""
    cycle = ports.memory.read_cycle(key, max(generation, 1)).cycle
    slots = None if cycle is None else cycle.after if generation else cycle.before
    if slots is None:
        raise DocumentNotFoundError(_path(key, max(generation, 1)))
    return slots


def pending_of(key: ThreadKey, target: Target, ports: CyclePorts) -> Counter:
    """What the counter moves by. The audits say what was consumed and has not been taken back
    since; but where retention deletes messages, only those that are there come back.
    """
    if not ports.settings.message_retention_days:
        return target.pending()
    now, then = target.now.cursor, target.then.cursor
    if now is not None and now != then and (then is None or then.is_before(now)):
        return ports.rollbacks.counted_between(key, then, now)
    return target.pending()


def _path(key: ThreadKey, generation: int) -> str:
    return f"users/{key.uid}/threads/{key.soul_id}/cycles/{cycle_id_of(generation)}"
