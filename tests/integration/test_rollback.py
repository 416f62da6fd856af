"""Rollbacks on the emulator: several cycles, back and forth, big lorebooks, crashes in between."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.rollbacks import ENTRIES_AT_ONCE, FirestoreRollbacks
from functions.adapters.firestore.souls import director_references
from functions.adapters.firestore.threads import FirestoreThreads
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import CycleUnderWayError, StaleClaimError
from shared.model.thread import Counter, ThreadKey
from shared.ports import CycleRead
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from shared.rolling_back.rollback_memory import MemoryRolledBack, RollbackMemory, rollback_memory
from shared.running.run_cycle import RunCycle, run_cycle
from shared.summarizing import states
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts
from shared.summarizing.writing import slots_of
from tests.battery.models import summary_text
from tests.composing_on import composing_on
from tests.factories import NOW, World, director, message
from tests.unit.recall.test_loading import entry

pytestmark = pytest.mark.firestore
EACH = 12


class Life:
    """A thread on the emulator; its model, clock and queue are in memory."""

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

    def slots(self) -> object:
        return slots_of(self.memory.read_slots(self.key))

    def after(self, generation: int) -> object:
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


@pytest.fixture
def life(client: firestore.Client) -> Life:
    return Life(client, ThreadKey(uid=uuid4().hex, soul_id=f"sohee-{uuid4().hex[:8]}"))


def test_back_over_several_cycles_forth_again_and_on(life: Life) -> None:
    for generation in (1, 2, 3):
        life.live_on(generation)
    lorebook = life.bodies("lorebook")
    done = life.roll_back(1)
    assert life.slots() == life.after(1)
    assert sorted(life.bodies("lorebook")) == ["000001-000"]
    withdrawn = life.bodies("withdrawn_entries")
    assert {name: {**lorebook[name], "withdrawn_by": "000004"} for name in withdrawn} == withdrawn
    assert len(withdrawn) == 5
    assert life.threads.read_counter(life.key).pending_messages == 2 * EACH
    assert (done.pending_messages, done.entries_withdrawn) == (2 * EACH, 5)

    forth = life.roll_back(3, "r2")
    assert life.slots() == life.after(3)
    assert life.bodies("lorebook") == lorebook
    assert life.bodies("withdrawn_entries") == {}
    assert life.threads.read_counter(life.key) == Counter()
    assert (forth.pending_messages, forth.entries_returned) == (-2 * EACH, 5)

    life.roll_back(2, "r3")
    life.summarize(7)
    stored = life.memory.read_cycle(life.key, 7)
    assert stored.cycle is not None
    assert stored.cycle.consumed is not None
    assert stored.cycle.consumed.first == message(2 * EACH).ref
    assert stored.cycle.consumed.count == EACH
    assert life.threads.read_counter(life.key) == Counter()
    assert life.index() == RecallIndex.from_entries(
        recall_entries_of(life.lorebook.all_entries(life.key))
    )


def test_the_same_request_again_and_a_commit_sent_twice_change_nothing_more(
    life: Life, commits_sent_twice: Callable[[], None]
) -> None:
    for generation in (1, 2):
        life.live_on(generation)
    commits_sent_twice()
    first = life.roll_back(1)
    assert life.roll_back(1) == first
    assert (first.entries_withdrawn, first.pending_messages) == (2, EACH)
    assert life.threads.read_counter(life.key).pending_messages == EACH
    assert life.memory.read_cycle(life.key, None).state.generation == 3


def with_many_entries(life: Life, count: int) -> None:
    """Generation 2 has written `count` entries beside its own."""
    writer = life.client.bulk_writer()
    for number in range(count):
        body = entry(1).model_copy(update={"index": 10 + number}).model_dump()
        writer.set(life.paths.lorebook(life.key).document(f"000002-{10 + number:05d}"), body)
    writer.close()  # type: ignore[no-untyped-call]


def test_a_big_lorebook_moves_in_handfuls_and_a_crash_between_two_is_made_good(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    for generation in (1, 2, 3):
        life.live_on(generation)
    with_many_entries(life, 2 * ENTRIES_AT_ONCE + 50)
    move = FirestoreRollbacks.move_entries
    moved: list[CycleRead] = []

    def dying(*args: Any, **kwargs: Any) -> CycleRead:
        if len(moved) == 2:
            raise ConnectionError
        moved.append(move(*args, **kwargs))
        return moved[-1]

    monkeypatch.setattr(FirestoreRollbacks, "move_entries", dying)
    with pytest.raises(ConnectionError):
        life.roll_back(1)
    monkeypatch.undo()
    assert len(life.bodies("withdrawn_entries")) == 2 * ENTRIES_AT_ONCE
    assert life.slots() == life.after(3)
    composing = composing_on(life.client, life.ports, life.world.settings)
    prompt = compose_prompt(ComposePrompt(thread=life.key), ports=composing).prompt
    assert prompt.generation == 3

    with pytest.raises(CycleUnderWayError):
        life.roll_back(1)
    life.world.clock.pass_time(life.world.settings.lease_seconds + 1)
    assert run_cycle(RunCycle(thread=life.key, generation=4), ports=life.ports)
    done = life.roll_back(1)
    assert done.entries_withdrawn == 2 * ENTRIES_AT_ONCE + 50 + 5
    assert sorted(life.bodies("lorebook")) == ["000001-000"]
    assert len(life.bodies("withdrawn_entries")) == done.entries_withdrawn
    assert life.slots() == life.after(1)


def test_an_entry_keeps_fields_that_this_code_does_not_know(life: Life) -> None:
    for generation in (1, 2):
        life.live_on(generation)
    known = life.paths.lorebook(life.key).document("000002-000")
    known.update({"source_ids": ["m00013"]})
    whole = known.get().to_dict()
    life.roll_back(1)
    life.roll_back(2, "r2")
    assert known.get().to_dict() == whole


def test_an_entry_that_was_written_to_meanwhile_is_not_moved_as_it_was(life: Life) -> None:
    for generation in (1, 2):
        life.live_on(generation)
    read = life.memory.read_cycle(life.key, 2)
    assert read.cycle is not None
    mended = life.paths.lorebook(life.key).document("000002-000")
    get_all = life.client.get_all

    def meanwhile(*args: object, **kwargs: object) -> object:
        found = list(get_all(*args, **kwargs))  # type: ignore[arg-type]
        mended.update({"record": "고쳐 쓴 기록"})
        return found

    life.client.get_all = meanwhile  # type: ignore[method-assign, assignment]
    try:
        with pytest.raises(StaleClaimError):
            life.rollbacks.move_entries(
                life.key,
                read,
                read.cycle.model_copy(update={"requests": 9}),
                leaving=["000002-000"],
                returning=[],
            )
    finally:
        life.client.get_all = get_all  # type: ignore[method-assign]
    assert mended.get().get("record") == "고쳐 쓴 기록"
    assert life.bodies("withdrawn_entries") == {}


def test_a_worker_that_has_lost_the_cycle_moves_nothing(life: Life) -> None:
    life.live_on(1)
    read = life.memory.read_cycle(life.key, 1)
    assert read.cycle is not None
    life.paths.cycle(life.key, "000001").update({"attempts": 7})
    with pytest.raises(StaleClaimError):
        life.rollbacks.move_entries(
            life.key,
            read,
            read.cycle.model_copy(update={"attempts": 8}),
            leaving=["000001-000"],
            returning=[],
        )
    assert list(life.bodies("lorebook")) == ["000001-000"]


def test_what_is_between_two_places_is_added_up_by_the_database(life: Life) -> None:
    uids = [uuid4().hex for _ in range(3)]
    places = [(0, "가"), (0, "나"), (1, "가"), (2, "나"), (2, "가"), (3, "가"), (3, "나")]
    for number, (minute, name) in enumerate(places):
        body = message(minute).model_dump(include={"role", "text", "created_at"})
        if number != 2:
            body["token_count"] = 10**number
        life.paths.messages(life.key).document(name + uids[0] + str(minute)).set(body)

    def between(after: tuple[int, str] | None, until: tuple[int, str] | None) -> tuple[int, int]:
        refs = [
            None
            if place is None
            else message(place[0]).ref.model_copy(
                update={"message_id": place[1] + uids[0] + str(place[0])}
            )
            for place in (after, until)
        ]
        found = life.rollbacks.counted_between(life.key, refs[0], refs[1])
        return found.pending_messages, found.pending_tokens

    assert between(None, None) == (6, 1111011)
    assert between((0, "가"), (3, "가")) == (4, 111010)
    assert between((0, "나"), (2, "가")) == (1, 10000)
    assert between((2, "가"), (2, "나")) == (1, 1000)
    assert between(None, (0, "가")) == (1, 1)
    assert between((3, "가"), None) == (1, 1000000)
    assert between((3, "나"), None) == (0, 0)
    assert between((3, "나"), (3, "나")) == (0, 0)
    assert between((3, "나"), (0, "가")) == (0, 0)
