"""A thread on the emulator that lives through cycles; its model, clock and queue are in memory."""

from dataclasses import replace

from google.cloud import firestore

from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import director_references
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.slots import Slots
from shared.model.thread import ThreadKey
from shared.recall.index import RecallIndex
from shared.rolling_back.rollback_memory import MemoryRolledBack, RollbackMemory, rollback_memory
from shared.summarizing import states
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts
from shared.summarizing.writing import slots_of
from tests.battery.models import summary_text
from tests.factories import NOW, World, director, message

EACH = 12


class Life:
    """One thread; each generation consumes twelve messages, and the nth writes n events."""

    def __init__(self, client: firestore.Client, key: ThreadKey) -> None:
        self.client, self.key, self.paths = client, key, Paths(client)
        self.world = World()
        self.lorebook, self.rollbacks = FirestoreLorebook(client), FirestoreRollbacks(client)
        self.memory, self.threads = FirestoreMemory(client), FirestoreThreads(client)
        self.ports: CyclePorts = replace(
            self.world.ports,
            memory=self.memory,
            threads=self.threads,
            lorebook=self.lorebook,
            rollbacks=self.rollbacks,
        )
        self.paths.thread(key).set({"created_at": NOW, "memory_status": "empty"})
        self._write_soul()

    def _write_soul(self) -> None:
        written = self.world.store.souls[self.key.soul_id] = director()
        references = director_references(self.paths, self.key.soul_id)
        for reference, body in zip(
            references, (written.soul, written.bio, written.persona), strict=False
        ):
            reference.set(body.model_dump())

    def say(self, count: int) -> None:
        """Messages a minute apart, counted."""
        start = self.threads.count_messages_from(self.key, None)
        for number in range(start, start + count):
            one = message(number, "열 글자로 된 말이다")
            body = one.model_dump(include={"role", "text", "created_at"})
            self.paths.messages(self.key).document(one.message_id).set(body)
            (stored,) = self.threads.messages_from(self.key, one.ref, until=one.created_at, limit=1)
            self.threads.count_tokens(self.key, stored, len(one.text))

    def live_on(self, generation: int) -> None:
        self.say(EACH)
        self.summarize(generation)

    def summarize(self, generation: int) -> None:
        read = self.memory.read_cycle(self.key, None)
        if read.cycle is None:
            change = states.ask(read, kind="summary", now=self.world.clock.now())
            assert change is not None
            self.memory.commit(self.key, read, change)
        self.world.model.answers.append(summary_text(generation, entries=generation))
        self.world.clock.pass_time(3_600)
        command = SummarizeThread(thread=self.key, generation=generation)
        assert summarize_thread(command, ports=self.ports).outcome == "applied"

    def roll_back(self, to: int, request_id: str = "r1") -> MemoryRolledBack:
        command = RollbackMemory(
            thread=self.key, generation=to, request_id=request_id, requested_by="op"
        )
        return rollback_memory(command, ports=self.ports)

    def slots(self) -> Slots:
        return slots_of(self.memory.read_slots(self.key))

    def after(self, generation: int) -> Slots | None:
        cycle = self.memory.read_cycle(self.key, generation).cycle
        assert cycle is not None
        return cycle.after

    def bodies(self, collection: str) -> dict[str, dict[str, object]]:
        found = self.paths.thread(self.key).collection(collection).stream()
        return {one.id: one.to_dict() or {} for one in found}

    def index(self) -> RecallIndex:
        state = self.memory.read_cycle(self.key, None).state
        shards = self.lorebook.read_shards(self.key, range(state.lorebook_shards))
        return RecallIndex.from_shards(shards, entry_count=state.lorebook_entries)
