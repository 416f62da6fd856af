"""Memory as it was after an earlier generation, as a cycle of its own."""

from shared.model.slots import Slots
from shared.model.thread import Counter
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from tests.battery.models import summary_text
from tests.factories import FIRST_MEMORY, KEY, World, message, play, play_summaries
from tests.fakes import FakeEmbedder
from tests.unit.rolling_back.lives import (
    EACH,
    TOKENS,
    after,
    cycle_of,
    entry_ids,
    live_on,
    lived,
    memory,
    roll_back,
    stored_index,
)


def test_slots_are_byte_for_byte_what_the_generation_left() -> None:
    world = lived(3)
    done = roll_back(world, 1)
    assert memory(world) == after(world, 1)
    assert (done.cycle_id, done.generation, done.rolled_back_to) == ("000004", 4, 1)
    assert done.slots_changed == ("long_term_memory", "user_relational_persona", "recent_context")
    slots = world.store.slots[KEY]
    assert slots["recent_context"].version == 4
    assert slots["recent_context"].cycle_id == "000004"
    assert slots["recent_context"].token_count == len(after(world, 1).recent_context)
    assert slots["soul_relational_persona"].version == 1


def test_generation_0_is_memory_before_the_first_cycle() -> None:
    world = lived(2)
    done = roll_back(world, 0)
    assert memory(world) == Slots()
    state = world.store.states[KEY]
    assert (state.cursor, state.window_start, state.turns) == (None, None, 0)
    assert world.store.all_entries(KEY) == []
    assert done.pending_messages == 2 * EACH
    assert world.store.read_counter(KEY).pending_messages == 2 * EACH


def test_a_slot_that_was_not_there_is_not_made() -> None:
    world = World()
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("강변을 달렸다.")}
    world.model.answers = [FIRST_MEMORY]
    assert world.seed().memory_status == "ready"
    roll_back(world, 0)
    assert "recent_context" not in world.store.slots[KEY]
    assert memory(world) == Slots()


def test_the_audit_says_who_asked_and_what_became_of_every_slot() -> None:
    world = lived(2)
    before = memory(world)
    roll_back(world, 1)
    cycle = cycle_of(world, 3)
    assert (cycle.kind, cycle.status, cycle.rolled_back_to) == ("rollback", "applied", 1)
    assert (cycle.before, cycle.after) == (before, after(world, 1))
    assert cycle.rollback is not None
    assert (cycle.rollback.requested_by, cycle.rollback.request_id) == ("operator-1", "r1")
    assert cycle.requested_at == cycle.applied_at == world.clock.now()
    assert cycle.output is None


def test_entries_of_undone_generations_leave_the_lorebook_and_keep_their_bodies() -> None:
    world = lived(3)
    entries = dict(world.store.entries[KEY])
    done = roll_back(world, 1)
    assert sorted(world.store.entries[KEY]) == entry_ids(1)
    withdrawn = world.rollbacks.withdrawn[KEY]
    assert sorted(withdrawn) == entry_ids(2, 3)
    assert withdrawn == {name: entries[name] for name in withdrawn}
    assert set(world.rollbacks.withdrawn_by.values()) == {"000004"}
    assert (done.entries_withdrawn, done.entries_returned) == (5, 0)


def test_rolling_back_a_rollback_brings_everything_back() -> None:
    world = lived(3)
    before, entries = memory(world), dict(world.store.entries[KEY])
    cursor = world.store.states[KEY].cursor
    roll_back(world, 1)
    done = roll_back(world, 3, request_id="r2")
    assert memory(world) == before
    assert world.store.entries[KEY] == entries
    assert world.rollbacks.withdrawn[KEY] == {}
    assert world.store.states[KEY].cursor == cursor
    assert world.store.read_counter(KEY) == Counter()
    assert (done.entries_withdrawn, done.entries_returned) == (0, 5)
    assert done.pending_messages == -2 * EACH


def test_the_index_fits_the_entries_that_are_active() -> None:
    world = lived(3)
    roll_back(world, 1)
    assert stored_index(world) == RecallIndex.from_entries(
        recall_entries_of(world.store.entries[KEY].values())
    )
    roll_back(world, 0, request_id="r2")
    assert world.store.states[KEY].lorebook_entries == 0
    assert world.store.shards[KEY] == {}


def test_vectors_follow_the_entries() -> None:
    world = lived(0)
    world.embedder = FakeEmbedder()
    for generation in (1, 2, 3):
        live_on(world, generation)
    stored = dict(world.store.embeddings[KEY])
    calls = world.embedder.calls
    roll_back(world, 2)
    assert world.embedder.calls == calls
    roll_back(world, 3, request_id="r2")
    assert world.embedder.calls == calls + 1
    assert world.store.embeddings[KEY] == stored
    roll_back(world, 0, request_id="r3")
    assert world.store.embeddings[KEY] == {}
    assert world.store.states[KEY].embedding_shards == 0


def test_cursor_window_turns_and_counter_go_back_too() -> None:
    world = lived(1)
    then = world.store.states[KEY]
    live_on(world, 2)
    world.chat(3, start=2 * EACH)
    done = roll_back(world, 1)
    now = world.store.states[KEY]
    assert (now.cursor, now.window_start, now.turns) == (
        then.cursor,
        then.window_start,
        then.turns,
    )
    assert (now.generation, now.lease, now.suspects) == (3, None, None)
    assert (done.pending_messages, done.pending_tokens) == (EACH, EACH * TOKENS)
    assert world.store.read_counter(KEY) == Counter(
        pending_messages=EACH + 3, pending_tokens=(EACH + 3) * TOKENS
    )


def test_where_retention_deletes_messages_only_those_that_are_left_become_pending() -> None:
    world = lived(2)
    world.settings = world.settings.model_copy(update={"message_retention_days": 30})
    for number in range(EACH, EACH + 5):
        del world.store.messages[KEY][f"m{number:05d}"]
    assert roll_back(world, 1).pending_messages == EACH - 5
    assert world.store.read_counter(KEY).pending_messages == EACH - 5


def test_a_backlog_asks_for_a_cycle_at_once_and_it_reads_the_messages_again() -> None:
    world = lived(2)
    roll_back(world, 0)
    queued = cycle_of(world, 4)
    assert (queued.kind, queued.status) == ("summary", "queued")
    assert [generation for _, generation, _ in world.tasks.queued][-1] == 4
    world.model.answers.append(summary_text(9))
    world.clock.pass_time(60)
    assert world.summarize(4).messages_consumed == 2 * EACH
    assert world.store.read_counter(KEY) == Counter()
    assert sorted(world.store.entries[KEY]) == ["000004-000"]
    assert world.store.states[KEY].turns == 2 * EACH


def test_a_small_backlog_asks_for_nothing() -> None:
    world = lived(2)
    world.settings = world.settings.model_copy(update={"cycle_trigger_tokens": 1_000})
    roll_back(world, 1)
    assert world.store.read_cycle(KEY, 4).cycle is None


def test_messages_between_two_cursors_are_told_by_time_and_id() -> None:
    world = lived(2)
    cursor = world.store.states[KEY].cursor
    assert cursor == message(2 * EACH - 1).ref
    twin = message(EACH - 1, "같은 때").model_copy(update={"message_id": "a-earlier"})
    world.record(twin)
    assert roll_back(world, 1).pending_messages == EACH
