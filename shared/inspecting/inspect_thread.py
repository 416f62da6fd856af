"""What a Soul knows of a user, and why: everything an operator needs to judge a memory."""

from collections.abc import Sequence
from typing import Protocol

from shared.composing.compose_prompt import ComposePorts, ComposePrompt, compose_prompt
from shared.composing.composed import ComposedPrompt
from shared.model.base import Frozen
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import Counter, MemoryState, ThreadKey
from shared.retention import unexpired

CYCLES = 50


class KeptMemory(Frozen):
    """What is kept of a thread's memory beside its slots; the newest cycles first."""

    state: MemoryState
    counter: Counter
    lorebook: tuple[LorebookEntry, ...]
    cycles: tuple[Cycle, ...]


class ThreadRecord(KeptMemory):
    """A thread's memory as stored."""

    slots: dict[SlotName, Slot]


class Records(Protocol):
    """Reads what the system keeps of a thread."""

    def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord: ...


class InspectThread(Frozen):
    """Look into this thread."""

    thread: ThreadKey


class InspectedSlot(Frozen):
    """A slot, and how it read before the last cycle that changed it (empty: it was not there)."""

    slot: Slot
    before: str


class Inspection(KeptMemory):
    """A thread's memory, and the prompt that is made of it now, with what recall considered."""

    slots: dict[SlotName, InspectedSlot]
    prompt: ComposedPrompt


def inspect_thread(command: InspectThread, *, records: Records, ports: ComposePorts) -> Inspection:
    """Read everything of a thread; writes nothing. Raises what `compose_prompt` raises."""
    key = command.thread
    composed = compose_prompt(ComposePrompt(thread=key, explain=True), ports=ports)
    record = records.read_record(key, cycles=CYCLES)
    cycles = tuple(unexpired(record.cycles, ports.clock.now()))
    return Inspection(
        state=record.state,
        counter=record.counter,
        slots={
            name: InspectedSlot(slot=record.slots[name], before=_before(name, cycles))
            for name in SLOT_NAMES
            if name in record.slots
        },
        lorebook=record.lorebook,
        cycles=cycles,
        prompt=composed.prompt,
    )


def _before(name: SlotName, cycles: Sequence[Cycle]) -> str:
    for cycle in cycles:
        if cycle.after is None or cycle.before is None:
            continue
        if cycle.after.of(name) != cycle.before.of(name):
            return cycle.before.of(name)
    return ""
