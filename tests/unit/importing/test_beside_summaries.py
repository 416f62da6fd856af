"""Imports and summaries share generations and the lease; neither loses what it is for."""

import pytest

from shared.errors import ModelUnavailableError, RetryLaterError
from shared.model.thread import ThreadKey
from shared.ports import HeldImport
from tests.factories import KEY, World, summary
from tests.unit.importing.played import (
    cycle,
    import_now,
    live,
    load,
    ltm,
    meanwhile,
    merged,
    play_more,
    seeded,
    work,
)
from tests.unit.sweeping.test_sweep import run as sweep


def due(*answers: str) -> World:
    """One more play, and a summary that is asked for and has not begun."""
    world = seeded(*answers)
    play_more(world)
    world.chat(12)
    assert cycle(world).kind == "summary"
    return world


def during_summary(world: World) -> None:
    """The app asks in the middle of a summary."""
    meanwhile(world, lambda: load(world))
    world.tasks.queued.clear()
    world.summarize(2)


def test_an_import_goes_before_a_summary_that_has_not_begun() -> None:
    world = due(merged(), summary())
    load(world)
    assert cycle(world).kind == "import"
    world.tasks.queued = {one: 0 for one in world.tasks.queued if one[2] > 1}
    work(world)
    assert world.store.states[KEY].generation == 2
    assert [generation for _, generation, _ in world.tasks.queued] == [3]
    work(world)
    assert cycle(world, 3).kind == "summary"
    assert world.store.states[KEY].generation == 3
    assert world.store.counters[KEY].pending_messages == 0


def test_the_old_task_of_the_summary_may_do_the_import() -> None:
    world = due(merged())
    load(world)
    world.tasks.queued = {(KEY, 2, 1): 0}
    work(world)
    assert (cycle(world).kind, cycle(world).status) == ("import", "applied")


def test_an_import_waits_for_a_summary_under_way_and_follows_it() -> None:
    world = due(summary(), merged())
    during_summary(world)
    assert cycle(world).kind == "summary"
    assert live(world).waiting_since is None
    assert cycle(world, 3).kind == "import"
    work(world)
    assert load(world).status == "imported"
    assert "| - [Messenger / DM / 2026-05-27 (수) / 필름]" in world.model.requests[-1].user
    assert world.store.slots[KEY]["recent_context"].cycle_id == "000002"


def test_an_import_waits_for_a_summary_whose_model_is_away() -> None:
    world = due()
    world.model.answers = [ModelUnavailableError("503"), summary(), merged()]
    with pytest.raises(RetryLaterError):
        world.summarize(2)
    assert load(world).status == "running"
    assert live(world).waiting_since is not None
    assert cycle(world).kind == "summary"
    world.summarize(2)
    work(world)
    assert load(world).status == "imported"


def test_an_import_follows_a_summary_that_is_given_up() -> None:
    world = due()
    world.model.answers = ["모르겠습니다.", "모르겠습니다.", merged(), summary()]
    with pytest.raises(RetryLaterError):
        world.summarize(2)
    assert load(world).status == "running"
    world.summarize(2)
    assert cycle(world).kind == "import"
    work(world)
    assert load(world).status == "imported"
    work(world)
    assert world.store.states[KEY].generation == 3, "the summary is asked for again"


def test_a_summary_that_ends_while_the_wish_is_written_is_not_waited_for_in_vain() -> None:
    world = due(summary(), merged())
    real = world.store.write_import

    def late(key: ThreadKey, held: HeldImport) -> None:
        world.store.write_import = real  # type: ignore[method-assign]
        world.store.cycles[KEY, "000002"] = before
        world.summarize(2)
        real(key, held)

    before = world.store.cycles[KEY, "000002"]
    waiting = before.cycle and before.cycle.model_copy(update={"status": "waiting"})
    world.store.cycles[KEY, "000002"] = before.model_copy(update={"cycle": waiting})
    world.store.write_import = late  # type: ignore[method-assign]
    world.tasks.queued.clear()
    assert load(world).status == "running"
    assert live(world).waiting_since is None
    assert cycle(world, 3).kind == "import"


def test_the_sweep_starts_an_import_that_nobody_let_go() -> None:
    world = due(summary(), merged())
    real = world.store.read_import
    world.tasks.queued.clear()

    def dead(key: ThreadKey) -> HeldImport | None:
        raise ConnectionError

    def ask_and_die() -> None:
        load(world)
        world.store.read_import = dead  # type: ignore[method-assign]

    meanwhile(world, ask_and_die)
    with pytest.raises(ConnectionError):
        world.summarize(2)
    world.store.read_import = real  # type: ignore[method-assign]
    assert live(world).waiting_since is not None
    world.clock.pass_time(1200)
    assert sweep(world).imports_asked == 1
    assert sweep(world).imports_asked == 0
    work(world)
    assert load(world).status == "imported"


def test_the_sweep_rouses_an_import_whose_task_is_lost() -> None:
    world = due(merged())
    load(world)
    world.tasks.queued.clear()
    world.clock.pass_time(1200)
    assert sweep(world).cycles_roused == 1
    work(world)
    assert load(world).status == "imported"


def test_messages_do_not_ask_for_a_summary_while_an_import_is_on_record() -> None:
    world = due(merged(), summary())
    load(world)
    world.chat(12, start=12)
    assert cycle(world).kind == "import"
    work(world)
    work(world)
    assert world.store.counters[KEY].pending_messages == 0
    assert len(ltm(world)) == 1


def test_an_import_may_follow_an_import() -> None:
    world = seeded(merged(), merged())
    play_more(world)
    assert import_now(world, "r1").cycle_id == "000002"
    play_more(world, "p3", episode_id="e3")
    assert import_now(world, "r2").cycle_id == "000003"
