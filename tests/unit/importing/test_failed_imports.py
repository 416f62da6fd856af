"""How an import fails: old memory stays, and the app can show it (PRD §5.4)."""

from shared.errors import (
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelUnavailableError,
)
from shared.importing.load_recent_memories import MemoriesLoaded
from shared.model.cycle import Failure, Rejection
from shared.summarizing.guard import SUDDEN_LOSS
from tests.factories import KEY, play_summaries, summary
from tests.unit.importing.played import (
    cycle,
    import_now,
    live,
    load,
    ltm,
    meanwhile,
    merged,
    play_more,
    played,
    try_again,
    work,
)
from tests.unit.sweeping.test_sweep import run as sweep


def test_while_the_model_is_away_the_import_runs_on() -> None:
    world = played()
    world.model.answers = [ModelUnavailableError("503"), merged()]
    load(world)
    work(world)
    assert load(world).status == "running"
    assert cycle(world).status == "waiting"
    try_again(world)
    assert load(world).status == "imported"


def test_outputs_that_do_not_read_fail_the_import_and_old_memory_stays() -> None:
    world = played("모르겠습니다.", "모르겠습니다.", merged())
    before = dict(world.store.slots[KEY])
    load(world)
    work(world)
    try_again(world)
    assert (cycle(world).status, cycle(world).failure is not None) == ("rejected", True)
    assert (live(world).status, live(world).kind) == ("failed", "retry")
    assert world.store.slots[KEY] == before
    assert world.store.threads[KEY].memory_status == "ready"
    assert import_now(world).status == "imported", "the same request tries again after a failure"


def test_episodes_that_the_model_refuses() -> None:
    world = played()
    world.model.answers = [ModelBlockedError("safety"), ModelBlockedError("safety")]
    load(world)
    work(world)
    try_again(world)
    assert (live(world).status, live(world).kind) == ("failed", "blocked")


def test_a_caller_who_waits_hears_of_the_failure() -> None:
    world = played(import_wait_seconds=20)
    world.model.answers = [ModelMisconfiguredError("403")]
    world.clock.wait = lambda seconds: work(world)  # type: ignore[method-assign]
    assert load(world) == MemoriesLoaded(status="failed", kind="retry")


def test_a_wrong_setting_blocks_it_and_it_shows_as_running_when_tried_again() -> None:
    world = played()
    world.model.answers = [ModelMisconfiguredError("403"), merged()]
    load(world)
    work(world)
    assert (cycle(world).status, live(world).status) == ("blocked", "failed")
    assert world.store.states[KEY].lease is None
    seen: list[str] = []
    meanwhile(world, lambda: seen.append(live(world).status))
    assert load(world).status == "running"
    work(world)
    assert seen == ["running"]
    assert load(world).status == "imported"


def test_an_import_that_the_sweep_tries_again_shows_as_running() -> None:
    world = played()
    world.model.answers = [ModelMisconfiguredError("403"), merged()]
    load(world)
    work(world)
    assert live(world).status == "failed"
    world.clock.pass_time(3600)
    assert sweep(world).cycles_roused == 1
    seen: list[str] = []
    meanwhile(world, lambda: seen.append(live(world).status))
    work(world)
    assert (seen, live(world).status) == (["running"], "imported")
    assert cycle(world).import_request == live(world).request


def test_what_a_summary_was_refused_for_says_nothing_of_an_import() -> None:
    world = played()
    lossy = Rejection(
        kind="summary", failure=Failure(failure_class="format", reason=SUDDEN_LOSS), output=None
    )
    load(world)
    stored = world.store.cycles[KEY, "000002"]
    queued = cycle(world).model_copy(update={"rejections": (lossy,)})
    world.store.cycles[KEY, "000002"] = stored.model_copy(update={"cycle": queued})
    slot = world.store.slots[KEY]["long_term_memory"]
    many = "\n".join(f"- [Messenger / DM / (시간 불명) / {n}] {n}번 만났다." for n in range(9))
    world.store.slots[KEY]["long_term_memory"] = slot.model_copy(update={"content": many})
    world.model.answers = [merged()]
    work(world)
    assert (cycle(world).status, len(cycle(world).rejections)) == ("waiting", 2)


def test_a_budget_that_is_spent_is_waited_for() -> None:
    world = played()
    world.budget.calls_left = 0
    load(world)
    work(world)
    assert cycle(world).status == "waiting"
    assert load(world).status == "running"


def test_an_import_whose_record_is_gone_is_begun_anew() -> None:
    world = played()
    load(world)
    del world.store.cycles[KEY, "000002"]
    assert import_now(world).status == "imported"


def test_plays_that_vanish_before_the_import_runs() -> None:
    world = played()
    load(world)
    world.plays.plays.pop()
    work(world)
    assert load(world).status == "nothing_new"
    assert (cycle(world).status, cycle(world).failure) == ("rejected", None)
    assert world.store.states[KEY].generation == 1
    assert world.store.states[KEY].lease is None


def test_after_nothing_was_found_a_summary_takes_the_place() -> None:
    world = played()
    load(world)
    world.plays.plays.pop()
    work(world)
    world.model.answers = [summary()]
    world.chat(12)
    assert world.summarize(2).outcome == "applied"
    assert cycle(world).import_request is None


def test_a_kept_output_is_used_after_a_crash_and_its_lines_keep_their_sources() -> None:
    second = '[Episode / "등대 불빛" / (시간 불명) / 둘째] 소희와 {user}는 불을 켰다. (s2)'
    first = '[Episode / "등대 불빛" / (시간 불명) / 첫째] 소희와 {user}는 등대까지 걸었다. (s1)'
    world = played(merged(first, second))
    play_more(world, "p3", episode_id="e3", episode_number=3)
    world.plays.stored_summaries["p3"] = play_summaries("소희와 {user}는 불을 켰다.")
    load(world)
    with world.dying_worker():
        work(world)
    world.plays.plays = [one for one in world.plays.plays if one.play_id != "p2"]
    del world.plays.stored_summaries["p2"]
    try_again(world)
    assert len(world.model.requests) == 2
    verdicts = {row.line[-8:]: (row.sources, row.verdict) for row in cycle(world).evidence}
    assert (("p3/0",), "supported") in verdicts.values()
    assert ((), "unknown_source") in verdicts.values()
    assert any("불을 켰다" in line for line in ltm(world))
    assert not any("등대까지 걸었다" in line for line in ltm(world))
