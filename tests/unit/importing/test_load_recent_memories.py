"""A user asks to import what was played since (PRD §5.1, T2; §5.4)."""

import pytest

from shared.errors import (
    DocumentNotFoundError,
)
from shared.importing.load_recent_memories import MemoriesLoaded
from shared.model.memory_import import REMEMBERED
from shared.model.slots import SLOT_NAMES
from shared.model.thread import Thread
from tests.factories import FIRST_MEMORY, KEY, NOW, World, scenes, summary
from tests.unit.importing.played import (
    cycle,
    import_now,
    live,
    load,
    ltm,
    merged,
    play_more,
    played,
    seeded,
    try_again,
    work,
)


def test_a_new_play_is_merged_into_the_memory_that_is_there() -> None:
    world = played()
    assert load(world).status == "running"
    work(world)
    assert load(world) == MemoriesLoaded(
        status="imported",
        cycle_id="000002",
        episode_play_ids=("p2",),
        slots_changed=("long_term_memory",),
    )
    prompt = world.model.requests[1].user
    assert '| - [Episode / "강변 레이스" / (시간 불명) / 완주]' in prompt
    assert "| ### 에피소드 2: 등대 불빛" in prompt
    assert "둘이 달렸다." not in prompt
    assert len(ltm(world)) == 2
    assert world.store.threads[KEY].memory_status == "ready"


def test_recent_context_stays_as_it_is() -> None:
    world = seeded(summary(), merged())
    world.chat(12)
    world.summarize(2)
    before = world.store.slots[KEY]["recent_context"]
    play_more(world)
    assert import_now(world).status == "imported"
    assert "## Recent context" not in world.model.requests[-1].user
    assert world.store.slots[KEY]["recent_context"] == before


def test_the_event_names_the_charge_and_the_audit_the_plays() -> None:
    world = played()
    load(world, charge_id="star-7")
    work(world)
    event = world.events.emitted[-1].model_dump()
    assert event["event"] == "seed_dm_memory_from_episode"
    assert (event["source"], event["charge_id"]) == ("recent_memory_load", "star-7")
    assert event["episode_play_ids"] == ("p2",)
    assert event["patch_size"] == len(world.store.slots[KEY]["long_term_memory"].content)
    assert cycle(world).kind == "import"
    assert cycle(world).episode_sources == ("p2/0",)
    assert ("p2/0",) in [row.sources for row in cycle(world).evidence]


def test_the_same_request_again_answers_the_same_and_does_nothing() -> None:
    world = played()
    first = import_now(world)
    play_more(world, "p3", episode_id="e3")
    assert load(world) == first
    work(world)
    assert load(world) == first
    assert len(world.model.requests) == 2


def test_nothing_new_is_an_answer_and_stays_one() -> None:
    world = seeded()
    assert load(world) == MemoriesLoaded(status="nothing_new")
    assert live(world).status == "nothing_new"
    play_more(world)
    assert load(world) == MemoriesLoaded(status="nothing_new")
    assert (len(world.store.cycles), len(world.model.requests)) == (1, 1)


def test_another_request_while_one_runs_waits_for_it_and_finds_nothing_new() -> None:
    world = played()
    load(world, "r1")
    assert load(world, "r2").status == "running"
    assert live(world).request_id == "r1"
    work(world)
    assert load(world, "r2").status == "nothing_new"
    assert load(world, "r1").status == "imported"
    assert world.store.states[KEY].generation == 2


def test_a_caller_who_waits_gets_the_end() -> None:
    world = played(import_wait_seconds=20)
    world.clock.wait = lambda seconds: work(world)  # type: ignore[method-assign]
    assert load(world).status == "imported"


def test_a_caller_waits_no_longer_than_the_setting_says() -> None:
    world = played(import_wait_seconds=3)
    assert load(world).status == "running"
    assert (world.clock.now() - NOW).total_seconds() == 3


def test_a_second_caller_who_waits_has_its_turn_after_the_first() -> None:
    world = played(import_wait_seconds=20)
    load(world, "r1")
    world.clock.wait = lambda seconds: work(world)  # type: ignore[method-assign]
    assert load(world, "r2").status == "nothing_new"


def test_only_the_last_requests_are_remembered() -> None:
    world = seeded()
    for number in range(REMEMBERED + 1):
        load(world, f"r{number}")
    assert live(world).answer_to("r0") is None
    assert live(world).answer_to("r1") is not None


def test_a_thread_that_is_not_there() -> None:
    world = World()
    world.store.threads.clear()
    with pytest.raises(DocumentNotFoundError, match="threads/sohee"):
        load(world)


def test_a_soul_that_is_not_there_is_named_and_nothing_is_on_record() -> None:
    world = played()
    world.store.souls.clear()
    with pytest.raises(DocumentNotFoundError, match="souls/sohee"):
        load(world)
    assert world.store.imports == {}


def test_memory_that_was_empty_becomes_ready() -> None:
    world = World()
    world.seed()
    assert world.store.threads[KEY].memory_status == "empty"
    world.model.answers = [merged()]
    play_more(world)
    assert import_now(world).cycle_id == "000001"
    assert world.store.threads[KEY].memory_status == "ready"


def test_missing_summaries_are_written_first() -> None:
    world = played("- 등대까지 걸었다.", merged())
    world.plays.stored_summaries["p2"] = []
    world.plays.stored_scenes["p2"] = scenes(12)
    assert import_now(world).status == "imported"
    assert cycle(world).episode_summaries == {"p2": ("등대까지 걸었다.",)}


def test_summaries_that_were_written_are_written_anew_once_the_play_has_gone_on() -> None:
    answers = ("- 등대까지 걸었다.", "모르겠습니다.", "모르겠습니다.", "- 등대를 켰다.", merged())
    world = played(*answers)
    world.plays.stored_summaries["p2"] = []
    world.plays.stored_scenes["p2"] = scenes(12)
    load(world)
    work(world)
    try_again(world)
    assert live(world).status == "failed"
    world.plays.plays[-1] = world.plays.plays[-1].model_copy(
        update={"last_played_at": world.clock.now().replace(year=2027)}
    )
    assert import_now(world, "r2").status == "imported"
    assert "등대를 켰다." in world.model.requests[-1].user


def test_a_seed_still_to_come_goes_first_and_the_import_finds_nothing_more() -> None:
    world = World()
    world.settings = world.settings.model_copy(update={"import_wait_seconds": 0})
    play_more(world)
    world.model.answers = [FIRST_MEMORY]
    assert load(world).status == "running"
    assert live(world).waiting_since is not None
    assert world.store.cycles == {}
    world.seed()
    assert live(world).waiting_since is None
    work(world)
    assert load(world).status == "nothing_new"
    assert world.store.states[KEY].generation == 1


def test_a_seed_that_comes_while_an_import_runs_waits() -> None:
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="failed")
    play_more(world)
    world.model.answers = [merged()]
    assert import_now(world).status == "imported"
    assert set(world.store.slots[KEY]) == set(SLOT_NAMES[:3])
