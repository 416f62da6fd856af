"""Rollbacks: random pasts, taken back to a random generation while things go wrong."""

import random
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from firebase_functions.https_fn import FunctionsErrorCode, HttpsError

from functions.failures import callable_failures
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.rolling_back.rollback_memory import MemoryRolledBack, RollbackMemory, rollback_memory
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.invariants import outputs_kept
from tests.battery.lost_calls import MODES, CrashedError, Plan, laid
from tests.battery.runner import WORKERS, Size, Tally, each
from tests.battery.stored import StoredThread, read_versions

SETTINGS = Settings(
    cycle_trigger_tokens=60, settle_seconds=0, user_calls_per_day=0, user_tokens_per_day=0
)
MESSAGES = 6
LONGEST = 7
CALLS = 34  # the most that such a rollback makes; a fault beyond the last one is none
HOURS = timedelta(hours=3)
PAUSE = timedelta(minutes=20)
PAST_LEASE = SETTINGS.lease_seconds + 1
WAYS = ("crash", "overtaken", "twice")


def rollbacks(chance: random.Random, size: Size) -> Tally:
    """Chats with a past of cycles and rollbacks, one more rollback with a fault, then a new cycle.

    The public fault: a restore that puts the summaries back and not the boundary, so that what
    was undone is never read again, or one that dies half way and leaves two pasts mixed.
    """
    runs = size.of(200, 12)
    tally = Tally(f"{runs} rollbacks, each with a fault")
    shares = [runs // WORKERS + (part < runs % WORKERS) for part in range(WORKERS)]
    jobs = [(random.Random(chance.random()), share) for share in shares]
    happened = each(lambda job: _some(tally, *job), jobs)
    tally.note = f"{sum(happened)} faults happened"
    return tally


def _some(tally: Tally, chance: random.Random, runs: int) -> int:
    """One arena, since time passes in it; its runs follow one another. Answers the faults."""
    arena = Arena(chance, settings=SETTINGS)
    happened = 0
    for _ in range(runs):
        run = _Run(arena, arena.open_chat(), chance)
        tally.add(run.problems(), where=run.where)
        happened += run.plan.happened
    tally.add(arena.own_problems())
    return happened


@dataclass
class _Run:
    """One chat: its past, the rollback, and how it goes on."""

    arena: Arena
    chat: Chat
    chance: random.Random
    plan: Plan = field(default_factory=Plan)
    where: str = ""
    said: int = 0
    asked: int = 0
    lost: int = 0

    def problems(self) -> list[str]:
        """What is wrong after the rollback, after asking for it again, and after a new cycle."""
        self._live(self.chance.randint(1, LONGEST))
        if self.chance.random() < 0.5:
            self._say(counted=self.chance.randint(0, MESSAGES))
            self._begin_a_cycle()
        before = self.arena.stored(self.chat)
        answered = self.arena.ledger.paid[self.chat.key].answered
        self.lost = answered - outputs_kept(before.cycles.values())
        target = self.chance.randrange(before.state.generation)
        way = self.chance.choice(WAYS)
        self._suffer(way, target)
        at = self.plan.seen[self.plan.at] if self.plan.happened and self.plan.at is not None else ""
        self.where = f"to {target} of {before.state.generation}, {way} {self.plan.mode} {at}"
        self._recover(target)
        rolled = self.arena.stored(self.chat)
        return [
            *self.arena.problems(self.chat, may_lose=self.lost, stored=rolled),
            *_gone_back(rolled, before, target),
            *self._asked_again(target),
            *self._goes_on(before.state.generation + 1),
        ]

    def _live(self, cycles: int) -> None:
        """So many generations, some of them rollbacks."""
        for _ in range(cycles):
            generation = self._generation()
            if generation > 1 and self.chance.random() < 0.3:
                self.asked += 1
                self._ask(self.chance.randrange(generation), f"past-{self.asked}")
            else:
                self._say(counted=MESSAGES - 1)
                self._work()

    def _say(self, *, counted: int) -> None:
        """A few messages; the triggers of all but the first `counted` are still to come."""
        arena = self.arena
        arena.clock.pass_time(60)
        said = lines(MESSAGES, self.chance, until=arena.clock.now(), start=self.said, words=10)
        arena.write(self.chat, said, counted=counted)
        self.said += MESSAGES
        for event in self.chat.versions[len(self.chat.versions) - MESSAGES + counted :]:
            arena.deliver(self.chat, event)

    def _begin_a_cycle(self) -> None:
        """The next cycle stays on record, or its worker dies somewhere in it."""
        for task in self.arena.queue.take_due(self.chat.key):
            plan = Plan(at=self.chance.randrange(CALLS), mode=self.chance.choice(MODES))
            with suppress(CrashedError), laid(plan):
                self.arena.work(task)
        self.arena.clock.pass_time(PAST_LEASE)

    def _work(self) -> None:
        self.arena.clock.pass_time(60)
        self.arena.queue.drain(self.arena.work, within=HOURS)

    def _ask(self, target: int, request_id: str) -> MemoryRolledBack | None:
        """As the callable does; None where it says `unavailable`, anything else is a leak."""
        arena, key = self.arena, self.chat.key
        command = RollbackMemory(
            thread=key, generation=target, request_id=request_id, requested_by="operator"
        )
        try:
            with arena.ledger.working_on(key), callable_failures():
                return rollback_memory(command, ports=arena.ports)
        except HttpsError as error:
            if error.code != FunctionsErrorCode.UNAVAILABLE:
                arena.leaks.append(f"a rollback ended in {error.code}")
            return None

    def _suffer(self, way: str, target: int) -> None:
        """Ask once while something goes wrong at some remote call."""
        at = self.chance.randrange(CALLS)
        if way == "crash":
            self.plan = Plan(at=at, mode=self.chance.choice(MODES))
        elif way == "overtaken":
            self.plan = Plan(at=at, pause=lambda: self._overtake(target))
        else:
            self.plan = Plan(at=at, pause=lambda: self._twice(target))
        with suppress(CrashedError), laid(self.plan):
            self._ask(target, "r")

    def _overtake(self, target: int) -> None:
        """The first worker sleeps past its lease; a second asks for the same, or the sweep does."""
        self.arena.clock.pass_time(PAST_LEASE)
        self._ask(target, "r")

    def _twice(self, target: int) -> None:
        """A second delivery of the request while the first is at work."""
        self._ask(target, "r")

    def _recover(self, target: int) -> None:
        """The sweep finds what is left, or the request comes again once the lease is over."""
        memory, key = self.arena.ports.memory, self.chat.key
        if self.chance.random() < 0.5:
            self.arena.clock.pass_time(PAUSE.total_seconds())
            self.arena.sweep()
            self._rollback_alone()
            cycle = memory.read_cycle(key, None).cycle
            if cycle is not None and cycle.kind == "rollback":
                self.arena.leaks.append("the sweep has not brought a rollback to its end")
        self.arena.clock.pass_time(PAST_LEASE)
        if self._ask(target, "r") is None:
            self.arena.leaks.append("a rollback was refused after its lease was over")

    def _rollback_alone(self) -> None:
        """Work on the rollback that the sweep has roused, not yet on what it asks for next."""
        due = self.arena.queue.take_due(self.chat.key)
        for task in due:
            cycle = self.arena.ports.memory.read_cycle(self.chat.key, task.generation).cycle
            if cycle is not None and cycle.kind == "rollback":
                self.arena.work(task)
            else:
                self.arena.queue.settle(task, done=False)

    def _asked_again(self, target: int) -> list[str]:
        """Twice more: the same answer, and not one document written."""
        versions = read_versions(self.arena.client, self.chat.key)
        answers = [self._ask(target, "r") for _ in range(2)]
        written = versions != read_versions(self.arena.client, self.chat.key)
        return [
            *(["the same request got two answers"] if answers[0] != answers[1] else []),
            *(["the same request wrote again"] if written else []),
        ]

    def _goes_on(self, rollback: int) -> list[str]:
        """More is said, and the cycles that are due are applied on top of what was restored."""
        self._say(counted=MESSAGES - 1)
        self._work()
        stored = self.arena.stored(self.chat)
        due = stored.counter.pending_tokens >= SETTINGS.cycle_trigger_tokens
        return [
            *self.arena.problems(self.chat, may_lose=self.lost, stored=stored),
            *(["no new cycle was applied"] if stored.state.generation <= rollback else []),
            *(["a cycle is due and was not applied"] if due else []),
        ]

    def _generation(self) -> int:
        return self.arena.ports.memory.read_cycle(self.chat.key, None).state.generation


def _gone_back(rolled: StoredThread, before: StoredThread, target: int) -> list[str]:
    """The slots are those of the target, exactly one rollback was applied, and it is audited."""
    generation = before.state.generation + 1
    audit = rolled.cycles.get(f"{generation:06d}")
    found = []
    if rolled.state.generation != generation or audit is None or audit.kind != "rollback":
        return [f"generation {rolled.state.generation} is not the rollback {generation}"]
    now = Slots(**{name: slot.content for name, slot in rolled.slots.items()})
    if now != _left_by(before.cycles, target):
        found.append("the slots are not those of the target")
    if (audit.rolled_back_to, audit.status) != (target, "applied") or audit.rollback is None:
        found.append("the rollback is not audited")
    elif audit.rollback.requested_by != "operator":
        found.append("the audit does not say who asked")
    return found


def _left_by(cycles: dict[str, Cycle], generation: int) -> Slots | None:
    return cycles[f"{generation:06d}"].after if generation else Slots()
