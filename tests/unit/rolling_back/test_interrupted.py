"""Rollbacks whose worker dies, sleeps or is disturbed, and prompts meanwhile."""

import pytest

from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import (
    CycleUnderWayError,
    DocumentNotFoundError,
    RetryLaterError,
    StaleClaimError,
)
from shared.model.thread import ThreadKey
from shared.running.run_cycle import RunCycle, run_cycle
from shared.summarizing import states
from tests.factories import KEY
from tests.unit.rolling_back.lives import (
    EACH,
    after,
    claim,
    cycle_of,
    dying,
    lived,
    memory,
    roll_back,
    stored_index,
)


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
            moved = read.state.model_copy(update={"revision": read.state.revision + 1})
            world.store.write_index(KEY, read, moved, world.store.shards[KEY], {})
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
    assert (kept.kind, kept.status) == (("summary", "rejected"), ("rollback", "claimed"))[commits]
    assert memory(world) == after(world, 3)
