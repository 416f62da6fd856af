"""Where outputs are handed in: a chat whose model answers what it is given."""

import random
from dataclasses import dataclass, field

from shared.model.slots import Slots
from shared.settings import Settings
from shared.summarizing.request_cycle import request_cycle
from shared.summarizing.writing import slots_of
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.models import Author
from tests.battery.output_checks import bad_apply
from tests.battery.stored import read_entries
from tests.battery.task_queue import Task

SETTINGS = Settings(
    cycle_trigger_tokens=60, settle_seconds=0, user_calls_per_day=0, user_tokens_per_day=0
)
MESSAGES = 4


@dataclass
class Handed:
    """The output that the arena's model answers next."""

    text: str = ""


@dataclass
class HandingArena:
    """An arena whose model answers `handed`."""

    arena: Arena
    handed: Handed = field(default_factory=Handed)


@dataclass
class Desk:
    """A chat to which outputs are handed in, one a cycle or attempt."""

    arena: Arena
    chat: Chat
    handed: Handed
    said: int = 0
    memory: Slots = field(default_factory=Slots)

    def hand_in(self, text: str, *, meant: str | None = None) -> tuple[bool, list[str]]:
        """Whether the output was applied, and what is wrong with what is stored now.

        `meant` is the document that should be stored, where `text` is a spoiled form of it.
        """
        memory, key, before = self.arena.ports.memory, self.chat.key, self.memory
        generation = self._ask()
        self.handed.text = text
        self.arena.work(Task(key, generation, self.arena.clock.now()))
        cycle = memory.read_cycle(key, generation).cycle
        self.memory = after = slots_of(memory.read_slots(key))
        if cycle is not None and cycle.status == "applied":
            return True, self._judged(meant or text, before, after, cycle.cycle_id)
        changed = after.changed_from(before)
        return False, [f"a refused output changed {changed}"] if changed else []

    def _judged(self, text: str, before: Slots, after: Slots, cycle_id: str) -> list[str]:
        found = read_entries(self.arena.client, self.chat.key, cycle_id)
        return bad_apply(text, before=before, after=after, entries=found, tokens=self.arena.tokens)

    def _ask(self) -> int:
        """Make sure that a cycle is there to be worked on: new messages, or asked again."""
        ports, key = self.arena.ports, self.chat.key
        read = ports.memory.read_cycle(key, None)
        if read.cycle is None:
            self.arena.clock.pass_time(60)
            chance, now = random.Random(self.said), self.arena.clock.now()
            said = lines(MESSAGES, chance, until=now, start=self.said, words=15)
            self.arena.write(self.chat, said, counted=MESSAGES)
            self.said += MESSAGES
        if read.cycle is None or read.cycle.status != "waiting":
            request_cycle(
                key,
                memory=ports.memory,
                tasks=ports.tasks,
                clock=ports.clock,
                settings=ports.settings,
            )
            self.arena.queue.lose(key)
        return read.state.generation + 1


def open_arena(chance: random.Random) -> HandingArena:
    """An arena for desks, which are used one after the other."""
    handed = Handed()
    author = Author(texts=lambda request, number: handed.text)
    return HandingArena(Arena(chance, settings=SETTINGS, model=author), handed)


def open_desk(of: HandingArena) -> Desk:
    """A desk with a chat of its own."""
    return Desk(of.arena, of.arena.open_chat(), of.handed)
