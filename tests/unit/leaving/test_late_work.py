"""Work that comes after its user's data was deleted creates nothing, and pays for nothing."""

import pytest

from shared.errors import StaleClaimError, UserGoneError
from shared.model.thread import Thread
from tests.factories import FIRST_MEMORY, KEY, NOW, World, message, play, play_summaries, summary
from tests.fakes import FakeModel
from tests.unit.sweeping.test_sweep import run


def left(world: World) -> World:
    world.store.left.add(KEY.uid)
    world.budget.left.add(KEY.uid)
    return world


def test_the_first_message_that_is_counted_says_so() -> None:
    world = left(World())
    with pytest.raises(UserGoneError):
        world.record(message(0, "지하철이라 이제 보내져"))


def test_a_message_over_the_trigger_asks_for_no_cycle() -> None:
    world = World()
    world.record(message(0, "짧은 말"))
    left(world)
    world.record(message(1, "백 글자를 넘는 말" * 20))
    assert world.tasks.queued == {}
    assert world.store.cycles == {}


def test_a_cycle_that_was_asked_for_asks_no_model() -> None:
    world = World(model=FakeModel(summary()))
    world.chat(12)
    left(world)
    with pytest.raises(StaleClaimError):
        world.summarize()
    assert world.model.requests == []


@pytest.mark.parametrize("has_played", [True, False])
def test_a_thread_that_was_created_late_is_not_seeded(has_played: bool) -> None:
    world = left(World(model=FakeModel(FIRST_MEMORY)))
    if has_played:
        world.plays.plays = [play("p1")]
        world.plays.stored_summaries["p1"] = play_summaries("함께 달렸다.")
    with pytest.raises(UserGoneError):
        world.seed()
    assert world.model.requests == []
    assert world.store.threads[KEY] == Thread(created_at=NOW)


def test_a_sweep_leaves_what_came_late_to_the_night() -> None:
    world = left(World())
    world.store.add_message(KEY, message(0))
    world.clock.pass_time(3600)
    report = run(world)
    assert (report.failed, report.errors, report.finished) == (0, (), True)
    assert (report.messages_counted, report.seeds_asked) == (0, 0)
    assert world.store.cycles == {}
