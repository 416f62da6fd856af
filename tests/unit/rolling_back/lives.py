"""Threads with a past to go back to."""

from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.rolling_back.rollback_memory import MemoryRolledBack, RollbackMemory, rollback_memory
from shared.summarizing.writing import slots_of
from tests.battery.models import summary_text
from tests.factories import KEY, World
from tests.fakes import FakeModel

EACH = 12
TOKENS = 11  # of one message


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
