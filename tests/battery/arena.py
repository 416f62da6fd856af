"""A world to run a scenario in: one project of the emulator, real adapters, injected faults."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any
from uuid import uuid4

from firebase_functions.https_fn import FunctionsErrorCode, HttpsError
from google.cloud.firestore import Client

from functions.adapters.clock import SystemChance
from functions.adapters.event_log import JsonEventLog
from functions.adapters.firestore.belongings import FirestoreBelongings
from functions.adapters.firestore.breaker import FirestoreBreaker
from functions.adapters.firestore.budget import FirestoreBudget
from functions.adapters.firestore.changes import FirestoreChanges
from functions.adapters.firestore.deletions import FirestoreDeletions
from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import FirestoreSouls, director_references
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.firestore.users import FirestoreUsers
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from functions.failures import callable_failures, worker_failures
from functions.services import budget_limits
from functions.triggers import late_writes_cleared
from shared.counting.record_message import MessageRecorded, RecordMessage, record_message
from shared.events import Event
from shared.forgetting.change_ports import ChangePorts
from shared.importing.load_recent_memories import (
    LoadRecentMemories,
    MemoriesLoaded,
    load_recent_memories,
)
from shared.leaving.leaving_ports import LeavingPorts
from shared.model.thread import MemoryStatus, Message, ThreadKey
from shared.ports import Model, Versioned
from shared.running.run_cycle import RunCycle, run_cycle
from shared.seeding.seed_memory import SeedMemory, seed_memory
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from shared.sweeping.sweep import SweepPorts, SweepReport, sweep
from tests.battery.bucket import Bucket
from tests.battery.chats import Chat, write_messages
from tests.battery.invariants import Known, problems_of
from tests.battery.lost_calls import remote
from tests.battery.models import Author, Ledger, WatchedModel
from tests.battery.stored import StoredThread, read_stored
from tests.battery.task_queue import Task, TaskQueue
from tests.factories import NOW, director
from tests.fakes import FakeClock
from tests.unit.leaving.house import FakeAccounts

SOUL = "sohee"
PROMPTS = PromptFiles()
ENTRIES_AT_ONCE = 2  # so that a rollback's entries take several commits


@dataclass
class QuietLog:
    """The event log; emitting may be lost like any other remote call."""

    emitted: list[Event] = field(default_factory=list)

    def emit(self, event: Event) -> None:
        remote("emit", lambda: self.emitted.append(event))


class Arena:
    """One project: its chats share a Soul, a clock, a queue, a model and a ledger."""

    def __init__(
        self, chance: random.Random, *, settings: Settings, model: Model | None = None
    ) -> None:
        self.chance = chance
        self.client = Client(project=f"demo-{uuid4().hex[:16]}")
        self.paths = Paths(self.client)
        self.clock = FakeClock(NOW)
        self.queue = TaskQueue(self.clock, random.Random(chance.random()))
        self.ledger = Ledger()
        self.tokens = TiktokenCounter()
        self.leaks: list[str] = []
        self.chats: dict[ThreadKey, Chat] = {}
        self.model = WatchedModel(model or Author(), self.ledger)
        self.bucket = Bucket(self.clock)
        self.accounts = FakeAccounts()
        self.ports = _ports(self, settings)
        self.leaving = _leaving(self, settings)
        self._write_soul()
        self._director = self._read_director()

    @property
    def settings(self) -> Settings:
        return self.ports.settings

    def open_chat(
        self,
        messages: Sequence[Message] = (),
        *,
        counted: int = 0,
        status: MemoryStatus | None = "ready",
    ) -> Chat:
        """Write a thread with messages, the first `counted` of them already counted: one commit."""
        chat = Chat(ThreadKey(uid=uuid4().hex, soul_id=SOUL))
        body = {"created_at": self.clock.now()} | ({"memory_status": status} if status else {})
        write_messages(self.client, chat, messages, counted=counted, thread=body)
        self.chats[chat.key] = chat
        return chat

    def write(self, chat: Chat, messages: Sequence[Message], *, counted: int = 0) -> None:
        """Write more messages, as the app does; their events are the last of `versions`."""
        write_messages(self.client, chat, messages, counted=counted)

    def deliver(
        self, chat: Chat, event: Versioned, then: Callable[[MessageRecorded], object] = bool
    ) -> bool:
        """`on_message_created`; False where the platform would deliver again."""
        ports = self.ports
        return self._trigger(
            chat.key,
            lambda: then(
                record_message(
                    RecordMessage(thread=chat.key, message=event),
                    threads=ports.threads,
                    memory=ports.memory,
                    tasks=ports.tasks,
                    tokens=ports.tokens,
                    clock=ports.clock,
                    settings=ports.settings,
                )
            ),
        )

    def seed(self, chat: Chat) -> bool:
        """`on_thread_created`; False where the platform would deliver again."""
        command = SeedMemory(thread=chat.key)
        return self._trigger(chat.key, lambda: seed_memory(command, ports=self.ports))

    def load(self, chat: Chat, request_id: str) -> MemoriesLoaded | None:
        """`load_recent_memories`; None where the app is told to try again."""
        command = LoadRecentMemories(thread=chat.key, request_id=request_id)
        try:
            with self.ledger.working_on(chat.key), callable_failures():
                return load_recent_memories(command, ports=self.ports)
        except HttpsError as error:
            if error.code != FunctionsErrorCode.UNAVAILABLE:
                self.leaks.append(f"{type(error.__context__).__name__} reached the app")
            return None

    def work(self, task: Task, ports: CyclePorts | None = None) -> bool:
        """`summarizethread`; False where the queue would try again."""
        command = RunCycle(thread=task.key, generation=task.generation)
        return self.attempt(task.key, lambda: run_cycle(command, ports=ports or self.ports))

    def _trigger(self, key: ThreadKey, work: Callable[[], object]) -> bool:
        def cleared() -> None:
            with late_writes_cleared(key.uid, self.leaving):
                work()

        return self.attempt(key, cleared)

    def attempt(self, key: ThreadKey, work: Callable[[], object]) -> bool:
        """Do it as the edge does; an error that the edge did not foresee is a leak."""
        try:
            with (
                self.ledger.working_on(key),
                worker_failures(JsonEventLog(StringIO()), "battery", key.uid),
            ):
                work()
        except HttpsError as error:
            if error.code != FunctionsErrorCode.UNAVAILABLE:
                self.leaks.append(f"{type(error.__context__).__name__} reached the edge")
            return False
        return True

    def sweep(self) -> SweepReport:
        ports = self.ports
        return sweep(
            ports=SweepPorts(
                irregularities=FirestoreIrregularities(self.client),
                memory=ports.memory,
                threads=ports.threads,
                tasks=ports.tasks,
                tokens=ports.tokens,
                breaker=ports.breaker,
                clock=ports.clock,
                settings=ports.settings,
            )
        )

    @property
    def changing(self) -> ChangePorts:
        """What the triggers of edits and deletions work with."""
        ports = self.ports
        return ChangePorts(
            changes=FirestoreChanges(self.client),
            memory=ports.memory,
            threads=ports.threads,
            lorebook=ports.lorebook,
            embedder=None,
            souls=ports.souls,
            tokens=ports.tokens,
            clock=ports.clock,
            settings=ports.settings,
        )

    def with_settings(self, **changes: object) -> CyclePorts:
        """The same ports under other settings."""
        return replace(self.ports, settings=self.settings.model_copy(update=changes))

    def stored(self, chat: Chat) -> StoredThread:
        return read_stored(self.client, chat.key)

    def problems(
        self,
        chat: Chat,
        *,
        may_lose: int = 0,
        takes_back: bool = False,
        stored: StoredThread | None = None,
    ) -> list[str]:
        """Read the database and check what must hold of the chat."""
        known = Known(
            written=chat.texts,
            now=self.clock.now(),
            paid=self.ledger.paid[chat.key],
            tokens=self.tokens,
            may_lose=may_lose,
            takes_back=takes_back,
        )
        found = problems_of(stored or self.stored(chat), known)
        return [f"{chat.key.uid}: {one}" for one in found]

    def own_problems(self) -> list[str]:
        """What is wrong with the arena as a whole: leaks, and a director's document touched."""
        touched = self._read_director() != self._director
        return [*self.leaks, *(["a director's document was written"] if touched else [])]

    def _write_soul(self) -> None:
        documents = director()
        bodies: Iterable[Mapping[str, Any]] = (
            {"character_ids": [SOUL]},
            documents.bio.model_dump(),
            documents.persona.model_dump(),
            {"content": "레이스가 끝난 다음 날이다."},
        )
        batch = self.client.batch()
        for reference, body in zip(director_references(self.paths, SOUL), bodies, strict=True):
            batch.set(reference, dict(body))
        batch.commit()

    def _read_director(self) -> list[tuple[object, object]]:
        references = director_references(self.paths, SOUL)
        return [(one.update_time, one.to_dict()) for one in (ref.get() for ref in references)]


def _ports(arena: Arena, settings: Settings) -> CyclePorts:
    client = arena.client
    return CyclePorts(
        memory=FirestoreMemory(client),
        threads=FirestoreThreads(client),
        lorebook=FirestoreLorebook(client),
        rollbacks=FirestoreRollbacks(client, entries_at_once=ENTRIES_AT_ONCE),
        embedder=None,
        souls=FirestoreSouls(client),
        plays=FirestorePlays(client),
        model=arena.model,
        prompts=PROMPTS,
        tokens=arena.tokens,
        tasks=arena.queue,
        events=QuietLog(),
        clock=arena.clock,
        chance=SystemChance(),
        breaker=FirestoreBreaker(client),
        budget=FirestoreBudget(client, budget_limits(settings)),
        settings=settings,
    )


def _leaving(arena: Arena, settings: Settings) -> LeavingPorts:
    client = arena.client
    return LeavingPorts(
        deletions=FirestoreDeletions(client),
        belongings=FirestoreBelongings(client),
        files=arena.bucket,
        accounts=arena.accounts,
        users=FirestoreUsers(client),
        clock=arena.clock,
        settings=settings,
    )
