"""Threads with a past to go back to."""

from datetime import timedelta

import pytest

from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.ports import CycleRead, MemoryChange
from shared.recall.index import RecallIndex
from shared.rolling_back.rollback_memory import MemoryRolledBack, RollbackMemory, rollback_memory
from shared.summarizing import states
from shared.summarizing.writing import slots_of
from tests.battery.models import summary_text
from tests.factories import KEY, World
from tests.fakes import FakeModel

EACH = 12
TOKENS = 11  # of one message
LEASE = timedelta(minutes=9)


def lived(generations: int) -> World:
    """A thread after so many summary cycles, each of twelve messages; the nth wrote n events."""
    world = World(model=FakeModel())
    for generation in range(1, generations + 1):
        live_on(world, generation)
    return world


def live_on(world: World, generation: int) -> None:
    """Twelve more messages, and the cycle that consumes all that is pending."""
    said = len(world.store.messages.get(KEY, {}))
    world.model.answers.append(summary_text(generation, entries=generation))
    world.chat(EACH, start=said)
    world.clock.pass_time(3_600)
    assert world.summarize(generation).outcome == "applied"


def roll_back(world: World, to: int, *, request_id: str = "r1") -> MemoryRolledBack:
    command = RollbackMemory(
        thread=KEY, generation=to, request_id=request_id, requested_by="operator-1"
    )
    return rollback_memory(command, ports=world.ports)


def memory(world: World) -> Slots:
    return slots_of(world.store.read_slots(KEY))


def cycle_of(world: World, generation: int) -> Cycle:
    cycle = world.store.read_cycle(KEY, generation).cycle
    assert cycle is not None
    return cycle


def after(world: World, generation: int) -> Slots:
    """What the audit says that a generation left."""
    slots = cycle_of(world, generation).after
    assert slots is not None
    return slots


def entry_ids(*generations: int) -> list[str]:
    """The entries that these generations wrote."""
    return [f"{one:06d}-{index:03d}" for one in generations for index in range(one)]


def stored_index(world: World) -> RecallIndex:
    state = world.store.states[KEY]
    shards = world.store.read_shards(KEY, range(state.lorebook_shards))
    return RecallIndex.from_shards(shards, entry_count=state.lorebook_entries)


def due(generations: int, kind: str = "summary") -> tuple[World, CycleRead]:
    """A thread whose next cycle is on record and queued."""
    world = lived(generations)
    world.chat(EACH, start=EACH * generations)
    read = world.store.read_cycle(KEY, None)
    assert read.cycle is not None
    if kind != "summary":
        other = read.cycle.model_copy(update={"kind": kind})
        read = world.store.commit(KEY, read, MemoryChange(cycle=other))
    return world, read


def claim(world: World, read: CycleRead) -> CycleRead:
    assert read.cycle is not None
    change = states.claim(read, kind=read.cycle.kind, token="t", now=world.clock.now(), lease=LEASE)
    assert change is not None
    return world.store.commit(KEY, read, change)


def dying(world: World, commits: int, to: int = 1) -> None:
    """A rollback whose worker dies after moving so many handfuls of entries."""
    world.rollbacks.entries_at_once = 2
    world.rollbacks.dies_after = commits
    with pytest.raises(ConnectionError):
        roll_back(world, to)
    world.rollbacks.dies_after = None
