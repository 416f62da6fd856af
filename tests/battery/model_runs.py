"""One case of a model's failure at one attempt of a cycle, up to the cycle's good end."""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from shared.summarizing.writing import slots_of
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.model_cases import BUSY, SHORT_SECONDS, Case, Script, ScriptedServer
from tests.battery.task_queue import Task

SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0)
MESSAGES = 6
MAX_ATTEMPTS = 5
PLENTY = 100
PAUSE = timedelta(minutes=20)
HOURS = timedelta(hours=3)
POSITIONS = {"first": 0, "middle": 2, "last": MAX_ATTEMPTS - 1}


@dataclass
class Run:
    """A chat with a cycle due, the server's script, and what each attempt left behind."""

    arena: Arena
    server: ScriptedServer
    case: Case
    chat: Chat
    seen: list[tuple[str, str | None]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    asked_at: list[datetime] = field(default_factory=list)

    def expect(self, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            self.wrong.append(f"{what} is {found}, not {wanted}")

    def work(self, task: Task) -> bool:
        """One attempt, and a note of the state it left the cycle in."""
        asked, now = len(self.server.requests), self.arena.clock.now()
        done = self.arena.work(task, self._ports())
        self.asked_at += [now] * (len(self.server.requests) - asked)
        cycle = self.cycle(task.generation)
        failure_class = cycle.failure.failure_class if cycle.failure else None
        self.seen.append((cycle.status, failure_class))
        return done

    def _ports(self) -> CyclePorts:
        if self.case.in_time:
            return self.arena.ports
        return self.arena.with_settings(model_timeout_seconds=SHORT_SECONDS)

    def cycle(self, generation: int = 1) -> Cycle:
        found = self.arena.ports.memory.read_cycle(self.chat.key, generation).cycle
        if found is None:
            raise AssertionError("the cycle has no record")
        return found

    def drain(self) -> None:
        self.arena.queue.drain(self.work, within=HOURS)

    def sweep(self) -> None:
        self.arena.clock.pass_time(PAUSE.total_seconds())
        self.arena.sweep()
        self.drain()

    def expect_rest(self, after: int) -> None:
        """Where an answer names a pause, the request after it does not come before its end."""
        pauses = [(later - one).total_seconds() for one, later in pairwise(self.asked_at)]
        if len(pauses) <= after or pauses[after] < self.case.rest_seconds:
            self.wrong.append(f"asked again after {pauses} s, not {self.case.rest_seconds}")

    def expect_memory_kept(self) -> None:
        """While nothing was applied, the slots stay and every message is pending."""
        counter = self.arena.ports.threads.read_counter(self.chat.key)
        self.expect("pending", counter.pending_messages, MESSAGES)
        stored = self.arena.ports.memory.read_slots(self.chat.key)
        self.expect("memory", slots_of(stored), Slots())

    def expect_end(self, *, rejections: int, applied: int = 1) -> None:
        stored = self.arena.stored(self.chat)
        self.wrong += self.arena.problems(self.chat, stored=stored)
        self.expect("applied cycles", len(stored.applied), applied)
        kept = sum(len(one.rejections) for one in stored.cycles.values())
        self.expect("rejections in the audit", kept, rejections)


def start(
    arena: Arena,
    server: ScriptedServer,
    case: Case,
    script: Script,
    *,
    attempts: int = MAX_ATTEMPTS,
) -> Run:
    """A chat whose last message crossed the trigger just now; `attempts` is all its task gets."""
    server.lay(script)
    arena.queue.max_attempts = attempts
    arena.clock.pass_time(60)
    chance = random.Random(case.name)
    messages = lines(MESSAGES, chance, until=arena.clock.now(), words=10)
    chat = arena.open_chat(messages, counted=MESSAGES - 1)
    arena.deliver(chat, chat.versions[-1])
    return Run(arena, server, case, chat)


def unharmed(arena: Arena, server: ScriptedServer) -> list[str]:
    """No failure at all: one attempt, one request."""
    run = start(arena, server, Case("none", BUSY, "transient"), Script())
    run.drain()
    run.expect("the attempts", run.seen, [("applied", None)])
    run.expect("requests", len(server.requests), 1)
    run.expect_end(rejections=0)
    return run.wrong


def at_position(arena: Arena, server: ScriptedServer, case: Case, position: str) -> list[str]:
    """The case at one attempt, an overload before and after it, then a model that is well."""
    before = POSITIONS[position]
    is_followed = position == "middle" and case.case_class != "retired"
    script = [BUSY] * before + [case.answer] + [BUSY] * is_followed
    rests = case.rest_seconds > 0 and position != "last"
    attempts = PLENTY if rests else MAX_ATTEMPTS
    run = start(arena, server, case, Script(answers=list(script)), attempts=attempts)
    run.drain()
    if rests:
        run.expect_rest(before)
    match case.case_class:
        case "retired":
            run.expect("the attempt", run.seen[before:], [("applied", None)])
            output = run.cycle().output
            run.expect("the model", output and output.model_asked, _next(run))
        case "configuration":
            run.expect("the attempts", run.seen[before:], [("blocked", "configuration")])
            run.expect("requests", len(server.requests), before + 1)
            run.expect_memory_kept()
            run.sweep()
        case "transient" | "content" | "format":
            run.expect("the attempt", run.seen[before], ("waiting", case.failure_class))
            if position == "last":
                run.expect("attempts", len(run.seen), MAX_ATTEMPTS)
                run.expect_memory_kept()
                run.sweep()
    run.expect_end(rejections=case.case_class in {"content", "format"})
    return run.wrong


def _next(run: Run) -> str:
    template = run.arena.ports.prompts.load("chat_summary")
    return template.fallback_models[0]
