"""What a Soul knows of a user, and why: everything an operator needs to judge a memory."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from pydantic import AwareDatetime

from shared.composing.compose_prompt import ComposePorts, ComposePrompt, compose_prompt
from shared.composing.composed import ComposedPrompt
from shared.model.base import Frozen, Stored
from shared.model.cycle import CycleKind, CycleStatus, Failure
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES, Slot, SlotName, Slots
from shared.model.thread import Counter, MemoryState, MessageRef, ThreadKey
from shared.retention import unexpired

CYCLES = 50


class SeenConsumed(Stored):
    """How many messages a cycle consumed, and their tokens."""

    count: int
    tokens: int


class SeenOutput(Stored):
    """Which model answered a cycle, and what that cost."""

    model_answered: str
    tokens_in: int
    tokens_out: int
    latency_ms: int
    cost_microdollars: int | None = None


class SeenCycle(Stored):
    """What became of a cycle and what it cost: its record without the texts."""

    cycle_id: str
    kind: CycleKind
    status: CycleStatus
    requested_at: AwareDatetime
    applied_at: AwareDatetime | None = None
    attempts: int = 0
    consumed: SeenConsumed | None = None
    episode_play_ids: tuple[str, ...] = ()
    output: SeenOutput | None = None
    lorebook_entries: int = 0
    failure: Failure | None = None
    set_aside: tuple[MessageRef, ...] = ()
    expires_at: AwareDatetime | None = None


class KeptMemory(Frozen):
    """What is kept of a thread's memory beside its slots; the newest cycles first."""

    state: MemoryState
    counter: Counter
    lorebook: tuple[LorebookEntry, ...]
    cycles: tuple[SeenCycle, ...]


class ThreadRecord(KeptMemory):
    """A thread's memory as stored."""

    slots: dict[SlotName, Slot]


class Records(Protocol):
    """Reads what the system keeps of a thread."""

    def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord: ...

    def slots_before(self, key: ThreadKey, cycle_ids: Sequence[str]) -> Mapping[str, Slots]:
        """The slots' text before each of these cycles that was applied, by the cycle's id."""
        ...


class InspectThread(Frozen):
    """Look into this thread."""

    thread: ThreadKey


class InspectedSlot(Frozen):
    """A slot, and how it read before the cycle that wrote it (empty: it was not there)."""

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
    writers = {slot.cycle_id for slot in record.slots.values() if slot.cycle_id}
    before = records.slots_before(key, sorted(writers))
    cycles = tuple(unexpired(record.cycles, ports.clock.now()))
    return Inspection(
        state=record.state,
        counter=record.counter,
        slots={
            name: InspectedSlot(slot=slot, before=before.get(slot.cycle_id, Slots()).of(name))
            for name in SLOT_NAMES
            if (slot := record.slots.get(name))
        },
        lorebook=record.lorebook,
        cycles=cycles,
        prompt=composed.prompt,
    )
