"""Which cycles memory is made of, after some were rolled back."""

from collections.abc import Iterable

from shared.errors import SoulMemoryError
from shared.model.base import Frozen
from shared.model.cycle import Consumed, Cycle
from shared.model.thread import Counter, MessageRef


class BrokenChainError(SoulMemoryError):
    """The audit of `generation` is missing, so nobody can say what came before it."""

    def __init__(self, generation: int) -> None:
        super().__init__(f"there is no audit of generation {generation}")
        self.generation = generation


class Standing(Frozen):
    """The cycles whose work memory holds as of a generation, oldest first; no rollbacks.

    They build on what stood as of the generation `since`, of which there is no audit (0: nothing).
    """

    cycles: tuple[Cycle, ...] = ()
    since: int = 0

    @property
    def cycle_ids(self) -> frozenset[str]:
        """Entries of the lorebook are active when their cycle is among these."""
        return frozenset(one.cycle_id for one in self.cycles)

    @property
    def cursor(self) -> MessageRef | None:
        consumed = self._consumed
        return consumed[-1].last if consumed else None

    @property
    def window_start(self) -> MessageRef | None:
        consumed = self._consumed
        return consumed[-1].window_start if consumed else None

    @property
    def _consumed(self) -> list[Consumed]:
        return [one.consumed for one in self.cycles if one.consumed is not None]


def standing(cycles: Iterable[Cycle], generation: int) -> Standing:
    """What stands as of `generation`: its own cycle and what stood before it, or, where it is a
    rollback, what stood as of the generation that it went back to.

    Takes applied cycles in any order. Raises BrokenChainError for the first that is missing.
    """
    found = standing_since(cycles, generation)
    if found.since:
        raise BrokenChainError(found.since)
    return found


def standing_since(cycles: Iterable[Cycle], generation: int) -> Standing:
    """The same, as far back as there are audits. Raises BrokenChainError for a rollback without
    a target.
    """
    applied = {one.generation: one for one in cycles if one.status == "applied"}
    found: list[Cycle] = []
    at = generation
    while at > 0 and (cycle := applied.get(at)) is not None:
        if cycle.kind != "rollback":
            found.append(cycle)
        at = _before(cycle)
    return Standing(cycles=tuple(reversed(found)), since=at)


def consumed_by(cycles: Iterable[Cycle]) -> tuple[Counter, int]:
    """What these cycles have consumed, as their audits say by now, and how many turns that was."""
    consumed = [one.consumed for one in cycles if one.consumed is not None]
    counted = Counter(
        pending_tokens=sum(one.tokens for one in consumed),
        pending_messages=sum(one.count for one in consumed),
    )
    return counted, sum(one.turns for one in consumed)


def _before(cycle: Cycle) -> int:
    """The generation that a cycle built on, or went back to."""
    if cycle.kind != "rollback":
        return cycle.generation - 1
    target = cycle.rolled_back_to
    if target is None or target >= cycle.generation:
        raise BrokenChainError(cycle.generation)
    return target
