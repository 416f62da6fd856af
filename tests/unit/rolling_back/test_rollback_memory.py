"""Memory as it was after an earlier generation, as a cycle of its own."""

from datetime import timedelta

import pytest

from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import (
    CycleUnderWayError,
    DocumentNotFoundError,
    InvalidArgumentError,
    RetryLaterError,
    StaleClaimError,
)
from shared.model.cycle import Cycle, Failure
from shared.model.slots import Slots
from shared.model.thread import Counter, ThreadKey
from shared.ports import CycleRead, MemoryChange
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from shared.running.run_cycle import RunCycle, run_cycle
from shared.summarizing import states
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
)

LEASE = timedelta(minutes=9)


def stored_index(world: World) -> RecallIndex:
    state = world.store.states[KEY]
    shards = world.store.read_shards(KEY, range(state.lorebook_shards))
    return RecallIndex.from_shards(shards, entry_count=state.lorebook_entries)


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


def test_only_messages_that_are_left_become_pending() -> None:
    world = lived(2)
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


def test_the_same_request_again_is_the_same_rollback() -> None:
    world = lived(3)
    world.settings = world.settings.model_copy(update={"cycle_trigger_tokens": 1_000})
    first = roll_back(world, 1)
    commits = world.store.commits
    assert roll_back(world, 1) == first
    assert world.store.commits == commits
    world.settings = world.settings.model_copy(update={"cycle_trigger_tokens": 100})
    live_on(world, 5)
    assert roll_back(world, 1) == first
    assert world.store.states[KEY].generation == 5


def test_two_deliveries_at_once_are_one_rollback(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lived(3)
    find_asked, deliveries = world.rollbacks.find_asked, iter(["second"])

    def overtaken(key: ThreadKey, request_id: str) -> Cycle | None:
        found = find_asked(key, request_id)
        if next(deliveries, None):
            roll_back(world, 1)
        return found

    monkeypatch.setattr(world.rollbacks, "find_asked", overtaken)
    with pytest.raises(StaleClaimError):
        roll_back(world, 1)
    assert world.store.states[KEY].generation == 4
    assert roll_back(world, 1).generation == 4


def test_a_request_stands_for_one_rollback_only() -> None:
    world = lived(3)
    roll_back(world, 1)
    with pytest.raises(InvalidArgumentError, match=r"request_id: .* generation 1"):
        roll_back(world, 2)


def test_going_back_to_where_memory_is_already_is_a_cycle_too() -> None:
    world = lived(2)
    roll_back(world, 1)
    done = roll_back(world, 1, request_id="r2")
    assert (done.generation, done.slots_changed) == (4, ())
    assert (done.entries_withdrawn, done.pending_messages) == (0, 0)
    assert memory(world) == after(world, 1)


@pytest.mark.parametrize("generation", [2, 3, 99, -1])
def test_there_must_be_an_earlier_generation(generation: int) -> None:
    world = lived(2)
    commits = world.store.commits
    with pytest.raises(InvalidArgumentError, match="present generation, 2"):
        roll_back(world, generation)
    assert world.store.commits == commits


@pytest.mark.parametrize(("target", "missing"), [(3, 3), (3, 2), (2, 1), (0, 1)])
def test_an_audit_that_is_missing_is_named_and_nothing_is_changed(
    target: int, missing: int
) -> None:
    world = lived(4)
    del world.store.cycles[KEY, f"{missing:06d}"]
    commits = world.store.commits
    with pytest.raises(DocumentNotFoundError, match=f"threads/sohee/cycles/{missing:06d}"):
        roll_back(world, target)
    assert world.store.commits == commits


def test_a_thread_that_does_not_exist_is_named() -> None:
    world = World()
    world.store.threads.clear()
    with pytest.raises(DocumentNotFoundError, match="users/u1/threads/sohee"):
        roll_back(world, 0)


def due(generations: int, kind: str = "summary") -> tuple[World, CycleRead]:
    """A thread whose next cycle is on record and queued."""
    world = lived(generations)
    world.chat(EACH, start=EACH * generations)
    read = world.store.read_cycle(KEY, None)
    assert read.cycle is not None
    if kind != "summary":
        other = read.cycle.model_copy(update={"kind": kind})
        read = world.store.commit(KEY, read, MemoryChange(cycle=other))
    return world, read


def claim(world: World, read: CycleRead) -> CycleRead:
    assert read.cycle is not None
    change = states.claim(read, kind=read.cycle.kind, token="t", now=world.clock.now(), lease=LEASE)
    assert change is not None
    return world.store.commit(KEY, read, change)


def test_a_cycle_under_way_goes_first() -> None:
    world, read = due(2)
    claim(world, read)
    commits = world.store.commits
    with pytest.raises(CycleUnderWayError, match="000003"):
        roll_back(world, 1)
    assert world.store.commits == commits


@pytest.mark.parametrize("kind", ["seed", "import"])
def test_what_nobody_would_ask_for_again_goes_first(kind: str) -> None:
    world, _ = due(2, kind)
    with pytest.raises(CycleUnderWayError, match=f"000003, a {kind}, is queued"):
        roll_back(world, 1)


def test_a_summary_that_has_not_begun_gives_its_place_up_and_is_asked_for_again() -> None:
    world, _ = due(2)
    done = roll_back(world, 1)
    assert done.cycle_id == "000003"
    assert cycle_of(world, 3).kind == "rollback"
    assert cycle_of(world, 4).kind == "summary"
    assert world.store.read_counter(KEY).pending_messages == 2 * EACH


@pytest.mark.parametrize("kind", ["summary", "seed"])
def test_what_was_given_up_gives_its_place_up(kind: str) -> None:
    world, read = due(2, kind)
    failure = Failure(failure_class="configuration", reason="403")
    held = claim(world, read)
    world.store.commit(KEY, held, states.block(held, failure=failure))
    assert roll_back(world, 1).cycle_id == "000003"
    assert cycle_of(world, 3).failure is None


def test_an_output_that_was_paid_for_stays_in_the_audit() -> None:
    world, _ = due(2)
    world.model.answers.append(summary_text(3))
    world.clock.pass_time(60)
    with world.dying_worker():
        world.summarize(3)
    assert cycle_of(world, 3).status == "generated"
    roll_back(world, 1)
    (kept,) = cycle_of(world, 3).rejections
    assert kept.output is not None
    now = cycle_of(world, 3)
    assert (now.output, now.consumed) == (None, None)


def test_a_search_for_a_refused_message_begins_anew() -> None:
    world = lived(2)
    world.store.states[KEY] = world.store.states[KEY].model_copy(update={"suspects": 4})
    roll_back(world, 1)
    assert world.store.states[KEY].suspects is None


def dying(world: World, commits: int, to: int = 1) -> None:
    """A rollback whose worker dies after moving so many handfuls of entries."""
    world.rollbacks.entries_at_once = 2
    world.rollbacks.dies_after = commits
    with pytest.raises(ConnectionError):
        roll_back(world, to)
    world.rollbacks.dies_after = None


@pytest.mark.parametrize("commits", [0, 1, 2])
@pytest.mark.parametrize("by", ["the same request", "a task"])
def test_a_crash_between_two_handfuls_is_taken_up_again(commits: int, by: str) -> None:
    whole, world = lived(3), lived(3)
    expected = roll_back(whole, 1)
    dying(world, commits)
    with pytest.raises(CycleUnderWayError):
        roll_back(world, 1)
    world.clock.pass_time(world.settings.lease_seconds + 1)
    if by == "a task":
        done = run_cycle(RunCycle(thread=KEY, generation=4), ports=world.ports)
        assert done.cycle_id == "000004"
    assert roll_back(world, 1) == expected
    assert world.store.entries == whole.store.entries
    assert world.rollbacks.withdrawn == whole.rollbacks.withdrawn
    assert memory(world) == memory(whole)
    assert world.store.counters == whole.store.counters
    assert stored_index(world) == stored_index(whole)


def test_a_crash_in_the_last_commit_is_taken_up_again() -> None:
    world = lived(3)
    with world.dying_worker():
        roll_back(world, 1)
    assert memory(world) == after(world, 3)
    run_cycle(RunCycle(thread=KEY, generation=4), ports=world.ports)
    assert memory(world) == after(world, 1)
    assert cycle_of(world, 5).kind == "summary"
    again = run_cycle(RunCycle(thread=KEY, generation=4), ports=world.ports)
    assert again.cycle_id == "000004"
    assert world.store.states[KEY].generation == 4


def test_the_sweep_rouses_a_rollback_that_nobody_works_on() -> None:
    world = lived(3)
    dying(world, 1)
    world.clock.pass_time(world.settings.lease_seconds + 1)
    roused = states.rouse(world.store.read_cycle(KEY, 4), now=world.clock.now())
    assert roused is not None
    assert (roused.cycle.kind, roused.cycle.status) == ("rollback", "claimed")


def test_another_rollback_waits_until_the_first_has_ended() -> None:
    world = lived(3)
    dying(world, 1)
    world.clock.pass_time(world.settings.lease_seconds + 1)
    with pytest.raises(CycleUnderWayError, match="000004, a rollback, is claimed"):
        roll_back(world, 2, request_id="r2")


def test_a_prompt_can_be_composed_while_entries_move() -> None:
    world = lived(3)
    world.chat(1, start=3 * EACH, text="3번 일의 0째 장면 기억나? 현상소에 맡긴 필름.")
    dying(world, 1)
    assert len(world.store.entries[KEY]) == 4
    prompt = compose_prompt(ComposePrompt(thread=KEY), ports=world.composing()).prompt
    assert set(prompt.lorebook_entry_ids) <= set(world.store.entries[KEY])
    assert prompt.generation == 3


def test_a_fence_that_moves_meanwhile_has_it_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lived(3)
    read_slots, times = world.store.read_slots, iter([True])

    def meanwhile(key: object) -> object:
        if next(times, False):
            read = world.store.read_cycle(KEY, None)
            world.store.write_index(KEY, read, read.state, world.store.shards[KEY], {})
        return read_slots(KEY)

    monkeypatch.setattr(world.store, "read_slots", meanwhile)
    assert roll_back(world, 1).rolled_back_to == 1
    assert memory(world) == after(world, 1)


@pytest.mark.parametrize("while_reading", ["read_slots", "placed_entries"])
def test_a_worker_that_outlived_its_lease_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, while_reading: str
) -> None:
    world = lived(3)
    port = world.store if while_reading == "read_slots" else world.rollbacks
    read = getattr(port, while_reading)

    def slow(key: ThreadKey) -> object:
        world.clock.pass_time(world.settings.lease_seconds + 1)
        return read(key)

    monkeypatch.setattr(port, while_reading, slow)
    with pytest.raises(StaleClaimError):
        roll_back(world, 1)
    monkeypatch.undo()
    assert memory(world) == after(world, 3)
    assert world.store.states[KEY].generation == 3
    moved = {"read_slots": 5, "placed_entries": 0}
    assert len(world.rollbacks.withdrawn.get(KEY, {})) == moved[while_reading]


def test_a_worker_that_was_overtaken_leaves_the_rest_to_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = lived(3)
    read_slots, others = world.store.read_slots, iter(["the other"])

    def overtaken(key: ThreadKey) -> object:
        if next(others, None):
            world.clock.pass_time(world.settings.lease_seconds + 1)
            claim(world, world.store.read_cycle(KEY, 4))
        return read_slots(key)

    monkeypatch.setattr(world.store, "read_slots", overtaken)
    with pytest.raises(StaleClaimError, match="another worker"):
        roll_back(world, 1)
    assert world.store.states[KEY].generation == 3


def test_what_never_holds_still_is_left_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lived(3)
    read_slots = world.store.read_slots

    def meanwhile(key: ThreadKey) -> object:
        read = world.store.read_cycle(KEY, None)
        moved = read.state.model_copy(update={"revision": read.state.revision + 1})
        world.store.write_index(KEY, read, moved, world.store.shards[KEY], {})
        return read_slots(key)

    monkeypatch.setattr(world.store, "read_slots", meanwhile)
    with pytest.raises(RetryLaterError, match="something else writes"):
        roll_back(world, 1)
    monkeypatch.undo()
    assert cycle_of(world, 4).status == "waiting"
    assert roll_back(world, 1).generation == 4
    assert memory(world) == after(world, 1)


@pytest.mark.parametrize("commits", [0, 1])
def test_an_audit_that_goes_while_it_waits_leaves_its_place_unless_entries_have_moved(
    commits: int,
) -> None:
    world = lived(3)
    dying(world, commits)
    world.clock.pass_time(world.settings.lease_seconds + 1)
    del world.store.cycles[KEY, "000001"]
    with pytest.raises(DocumentNotFoundError, match="000001"):
        run_cycle(RunCycle(thread=KEY, generation=4), ports=world.ports)
    kept = cycle_of(world, 4)
    assert (kept.kind, kept.status) == (("summary", "queued"), ("rollback", "claimed"))[commits]
    assert memory(world) == after(world, 3)


def test_messages_between_two_cursors_are_told_by_time_and_id() -> None:
    world = lived(2)
    cursor = world.store.states[KEY].cursor
    assert cursor == message(2 * EACH - 1).ref
    twin = message(EACH - 1, "같은 때").model_copy(update={"message_id": "a-earlier"})
    world.record(twin)
    assert roll_back(world, 1).pending_messages == EACH
