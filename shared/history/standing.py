"""Which cycles memory is made of, after some were rolled back."""

from collections.abc import Iterable, Iterator

from shared.errors import SoulMemoryError
from shared.model.base import Frozen
from shared.model.cycle import Consumed, Cycle
from shared.model.thread import MessageRef


class BrokenChainError(SoulMemoryError):
    """The audit of `generation` is missing, so nobody can say what came before it."""

    def __init__(self, generation: int) -> None:
        super().__init__(f"there is no audit of generation {generation}")
        self.generation = generation


class Standing(Frozen):
    """The cycles whose work memory holds as of a generation, oldest first; no rollbacks."""

    cycles: tuple[Cycle, ...] = ()

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
    def turns(self) -> int:
        return sum(one.turns for one in self._consumed)

    @property
    def _consumed(self) -> list[Consumed]:
        return [one.consumed for one in self.cycles if one.consumed is not None]


def standing(cycles: Iterable[Cycle], generation: int) -> Standing:
    """What stands as of `generation`: its own cycle and what stood before it, or, where it is a
    rollback, what stood as of the generation that it went back to.

    Takes applied cycles in any order. Raises BrokenChainError for the first that is missing.
    """
    found = list(_newest_first(cycles, generation))
    if found and isinstance(found[-1], int):
        raise BrokenChainError(found[-1])
    return Standing(cycles=tuple(one for one in reversed(found) if isinstance(one, Cycle)))


def standing_since(cycles: Iterable[Cycle], generation: int) -> Standing:
    """The later part of what stands as of `generation`, as far back as there are audits."""
    found = [one for one in _newest_first(cycles, generation) if isinstance(one, Cycle)]
    return Standing(cycles=tuple(reversed(found)))


def _newest_first(cycles: Iterable[Cycle], generation: int) -> Iterator[Cycle | int]:
    """What stands, down to the first cycle, or to the generation whose audit is missing."""
    applied = {one.generation: one for one in cycles if one.status == "applied"}
    at = generation
    while at > 0:
        cycle = applied.get(at)
        if cycle is None:
            yield at
            return
        if cycle.kind != "rollback":
            yield cycle
        at = _before(cycle)


def _before(cycle: Cycle) -> int:
    """The generation that a cycle built on, or went back to."""
    if cycle.kind != "rollback":
        return cycle.generation - 1
    target = cycle.rolled_back_to
    if target is None or target >= cycle.generation:
        raise BrokenChainError(cycle.generation)
    return target
