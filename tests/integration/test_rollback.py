"""Rollbacks on the emulator: several cycles, back and forth, big lorebooks, crashes in between."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.rollbacks import ENTRIES_AT_ONCE, FirestoreRollbacks
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import CycleUnderWayError, StaleClaimError
from shared.model.thread import Counter, ThreadKey
from shared.ports import CycleRead
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from shared.running.run_cycle import RunCycle, run_cycle
from tests.composing_on import composing_on
from tests.factories import message
from tests.integration.life import EACH, Life
from tests.unit.recall.test_loading import entry

pytestmark = pytest.mark.firestore


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


def test_a_move_whose_answer_is_lost_is_believed_when_read_back(
    life: Life, commits_sent_twice: Callable[[], None]
) -> None:
    life.live_on(1)
    read = life.memory.read_cycle(life.key, 1)
    assert read.cycle is not None
    commits_sent_twice()
    moved = life.rollbacks.move_entries(
        life.key,
        read,
        read.cycle.model_copy(update={"attempts": 8}),
        leaving=["000001-000"],
        returning=[],
    )
    assert moved == life.memory.read_cycle(life.key, 1)
    assert list(life.bodies("withdrawn_entries")) == ["000001-000"]


def test_no_shard_is_left_of_what_was_withdrawn(life: Life) -> None:
    for generation in (1, 2):
        life.live_on(generation)
    assert list(life.bodies("lorebook_index")) == ["0000"]
    life.roll_back(0)
    assert life.bodies("lorebook_index") == {}
    assert life.memory.read_cycle(life.key, None).state.lorebook_shards == 0


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
    assert between((0, "나"), (1, "가")) == (0, 0)
    assert between((2, "가"), (2, "나")) == (1, 1000)
    assert between(None, (0, "가")) == (1, 1)
    assert between((3, "가"), None) == (1, 1000000)
    assert between((3, "나"), None) == (0, 0)
    assert between((3, "나"), (3, "나")) == (0, 0)
    assert between((3, "나"), (0, "가")) == (0, 0)
