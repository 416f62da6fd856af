"""Imports: asked for twice, by many at once, beside a summary, and with lost calls and crashes."""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal, get_args

from shared.importing.load_recent_memories import MemoriesLoaded
from shared.model.thread import ThreadKey
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, play_on, write_plays
from tests.battery.lost_calls import MODES, CrashedError, Plan, laid
from tests.battery.runner import WORKERS, Size, Tally, each
from tests.battery.stored import StoredThread

SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0, import_wait_seconds=0)
MESSAGES = 6
# About as many remote calls as each of them makes.
CALLS = {"first app": 14, "other app": 8, "worker": 26}
PAUSE = timedelta(minutes=20)
HOURS = timedelta(hours=3)
SWEEPS = 3

Moment = Literal["first", "after it was asked for", "while it thinks", "all at once"]
MOMENTS: tuple[Moment, ...] = get_args(Moment)
Actor = Callable[[], object]


def imports(chance: random.Random, size: Size) -> Tally:
    """Two apps ask with one request and a third with another, beside a summary that is due.

    The public fault: a button that is pressed twice pays twice and writes twice, or a summary
    under way overwrites what was imported, and a crash in the middle loses both.
    """
    runs = size.of(100, 8)
    tally = Tally(f"{runs} imports beside a summary, with faults")
    shares = [runs // WORKERS + (part < runs % WORKERS) for part in range(WORKERS)]
    jobs = [(random.Random(chance.random()), share) for share in shares]
    hit = each(lambda job: _some(tally, *job), jobs)
    tally.note = f"{sum(hit)} of the faults were met"
    return tally


def _some(tally: Tally, chance: random.Random, runs: int) -> int:
    """One arena, since time passes in it; answers how many runs met their fault."""
    arena = Arena(chance, settings=SETTINGS)
    met = 0
    for number in range(runs):
        run = _Run(arena, chance, MOMENTS[number % len(MOMENTS)])
        problems = run.run()
        met += run.plan.happened
        tally.add(problems, where=f"{run.moment}, {run.plan.mode} call {run.plan.at} of {run.hurt}")
    tally.add(arena.own_problems())
    return met


@dataclass
class _Run:
    """One chat: seeded from two episodes, a third one played since, and a summary due."""

    arena: Arena
    chance: random.Random
    moment: Moment
    plan: Plan = field(init=False)
    hurt: str = field(init=False)
    chat: Chat = field(init=False)

    def __post_init__(self) -> None:
        self.hurt = self.chance.choice(sorted(CALLS))
        at = self.chance.randrange(CALLS[self.hurt])
        self.plan = Plan(at=at, mode=self.chance.choice(MODES))
        self.chat = self._open()

    def run(self) -> list[str]:
        match self.moment:
            case "first":
                self._act(["first app", "first app", "other app", "message", "worker"])
            case "after it was asked for":
                self._act(["message", "first app", "other app", "first app", "worker"])
            case "while it thinks":
                self._act(["message"])
                self._while_thinking()
            case "all at once":
                self._at_once(["first app", "first app", "other app", "message", "worker"])
        self._recover()
        return [*self._ended(), *self._afterwards()]

    def _open(self) -> Chat:
        arena = self.arena
        arena.clock.pass_time(60)
        chat = arena.open_chat(status=None)
        write_plays(arena.client, chat.key.uid, episodes=2, summarized=True)
        arena.seed(chat)
        arena.clock.pass_time(60)
        play_on(arena.client, chat.key.uid, 3, summaries=range(2), at=arena.clock.now())
        said = lines(MESSAGES, self.chance, until=arena.clock.now(), words=10)
        arena.write(chat, said, counted=MESSAGES - 1)
        return chat

    def _actor(self, name: str) -> Actor:
        """What one of them does; the one that is hurt does it under the plan, once."""
        arena, chat = self.arena, self.chat
        work: dict[str, Actor] = {
            "first app": lambda: arena.load(chat, "r1"),
            "other app": lambda: arena.load(chat, "r2"),
            "message": lambda: arena.deliver(chat, chat.versions[-1]),
            "worker": self._work,
        }

        def act() -> None:
            is_hurt = name == self.hurt and not self.plan.seen
            with suppress(CrashedError), laid(self.plan if is_hurt else None):
                work[name]()

        return act

    def _work(self) -> None:
        """A worker takes what is due; a task that it dies over comes again."""
        queue = self.arena.queue
        for task in queue.take_due(self.chat.key):
            done = False
            try:
                done = self.arena.work(task)
            finally:
                queue.settle(task, done=done)

    def _act(self, names: Sequence[str]) -> None:
        for name in names:
            self._actor(name)()

    def _at_once(self, names: Sequence[str]) -> None:
        gate = threading.Barrier(len(names))

        def go(name: str) -> None:
            act = self._actor(name)
            gate.wait()
            act()

        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(go, names))

    def _while_thinking(self) -> None:
        """The apps ask in the middle of the summary's model call."""
        asked: list[ThreadKey] = []

        def ask(key: ThreadKey) -> None:
            if key == self.chat.key and not asked:
                asked.append(key)
                self._act(["first app", "other app", "first app"])

        self.arena.model.meanwhile = ask
        self._act(["worker"])
        self.arena.model.meanwhile = lambda key: None

    def _recover(self) -> None:
        """Some tasks vanish, some apps ask again; for the others there is the sweep."""
        arena, chat = self.arena, self.chat
        if self.chance.random() < 0.3:
            arena.queue.lose(chat.key)
        asks_again = self.chance.random() < 0.5
        self._actor("message")()
        arena.queue.drain(arena.work, within=HOURS)
        for _ in range(SWEEPS):
            if asks_again:
                arena.load(chat, "r1")
            arena.clock.pass_time(PAUSE.total_seconds())
            arena.sweep()
            arena.queue.drain(arena.work, within=HOURS)

    def _ended(self) -> list[str]:
        """Nothing is under way; each request has one answer, and one of them was imported."""
        arena, chat = self.arena, self.chat
        found = arena.problems(chat, may_lose=1)
        live = arena.stored(chat).live_import
        if live is not None and live.status not in {"imported", "nothing_new"}:
            found.append(f"the import is {live.status} after all sweeps")
        answers = [self._answer_of(name) for name in ("r1", "r2", "r1", "r2")]
        if answers[:2] != answers[2:]:
            found.append(f"a request was answered in two ways: {answers}")
        if sorted(one.status if one else "none" for one in answers[:2]) != [
            "imported",
            "nothing_new",
        ]:
            found.append(f"the two requests came to {answers[:2]}")
        return [*found, *self._applied(arena.stored(chat), [("p3/0", "p3/1")])]

    def _answer_of(self, request_id: str) -> MemoriesLoaded | None:
        """What the app hears in the end; it asks until it does."""
        loaded = self.arena.load(self.chat, request_id)
        self.arena.queue.drain(self.arena.work, within=HOURS)
        return self.arena.load(self.chat, request_id) if _is_open(loaded) else loaded

    def _applied(self, stored: StoredThread, read: Sequence[tuple[str, ...]]) -> list[str]:
        """The seed, these imports, and the summary: all messages are consumed."""
        imported = [one.episode_sources for one in stored.applied if one.kind == "import"]
        pending = stored.counter.pending_messages
        return [
            *([f"imported were {imported}, not {read}"] if imported != list(read) else []),
            *([f"{pending} messages are pending"] if pending else []),
        ]

    def _afterwards(self) -> list[str]:
        """A third request finds nothing, and pays nothing; a play that goes on is imported."""
        arena, chat, uid = self.arena, self.chat, self.chat.key.uid
        paid = arena.ledger.paid[chat.key].calls
        nothing = self._answer_of("r3")
        found = []
        if nothing is None or nothing.status != "nothing_new":
            found.append(f"with nothing new the answer is {nothing}")
        if arena.ledger.paid[chat.key].calls != paid:
            found.append("nothing new was paid for")
        play_on(arena.client, uid, 1, summaries=range(2, 4), at=arena.clock.now())
        more = self._answer_of("r4")
        if more is None or (more.status, more.episode_play_ids) != ("imported", ("p1",)):
            found.append(f"a play that went on came to {more}")
        stored = arena.stored(chat)
        read = [("p3/0", "p3/1"), ("p1/2", "p1/3")]
        problems = arena.problems(chat, may_lose=1, stored=stored)
        return [*found, *problems, *self._applied(stored, read)]


def _is_open(loaded: MemoriesLoaded | None) -> bool:
    return loaded is None or loaded.status == "running"
