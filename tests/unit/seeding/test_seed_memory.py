"""A thread's first memory (PRD §5)."""

import pytest

from shared.errors import DocumentNotFoundError, ModelUnavailableError, RetryLaterError
from shared.model.generation import Generation
from shared.model.thread import MemoryStatus
from shared.settings import Settings
from tests.factories import (
    FIRST_MEMORY,
    KEY,
    World,
    play,
    play_summaries,
    scenes,
    summary,
)
from tests.fakes import FakeModel


def played(*answers: str) -> World:
    """A thread of a user who played one episode that has two summaries."""
    world = World(model=FakeModel(*answers))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.", "결승선에서 기다렸다.")}
    return world


def status(world: World) -> MemoryStatus:
    return world.store.threads[KEY].memory_status


def test_three_slots_come_of_the_summaries() -> None:
    world = played(FIRST_MEMORY)
    seeded = world.seed()
    assert (seeded.memory_status, seeded.cycle_id) == ("ready", "000001")
    assert set(world.store.slots[KEY]) == {
        "long_term_memory",
        "soul_relational_persona",
        "user_relational_persona",
    }
    prompt = world.model.requests[0].user
    assert "| ### 에피소드 1: 강변 레이스" in prompt
    assert "| - s2 [(시간 불명)] 결승선에서 기다렸다." in prompt


def test_the_event_says_what_was_read() -> None:
    world = played(FIRST_MEMORY)
    world.seed()
    event = world.events.emitted[-1].model_dump()
    assert event["event"] == "seed_dm_memory_from_episode"
    assert (event["episode_play_ids"], event["source"]) == (("p1",), "thread_start")
    assert event["patch_size"] == sum(len(slot.content) for slot in world.store.slots[KEY].values())


def test_a_second_delivery_changes_nothing() -> None:
    world = played(FIRST_MEMORY)
    world.seed()
    assert world.seed().memory_status == "ready"
    assert len(world.model.requests) == 1


def test_nothing_played_is_an_empty_memory() -> None:
    world = World()
    assert world.seed().memory_status == "empty"
    assert (status(world), world.store.cycles) == ("empty", {})


def test_progress_shows_in_the_status() -> None:
    world = played()
    seen: list[MemoryStatus] = []
    answer = FakeModel(FIRST_MEMORY).generate

    def watched(request: object) -> object:
        seen.append(status(world))
        return answer(request)  # type: ignore[arg-type]

    world.model.generate = watched  # type: ignore[method-assign, assignment]
    assert status(world) == "pending"
    world.seed()
    assert (seen, status(world)) == (["seeding"], "ready")


def test_missing_summaries_are_written_first_and_kept() -> None:
    world = World(model=FakeModel("- 첫날 만났다.\n- 끝까지 달렸다.\n", FIRST_MEMORY))
    world.plays.plays = [play("p1", scene_count=10)]
    world.plays.stored_scenes = {"p1": scenes(10)}
    assert world.seed().memory_status == "ready"
    first, second = world.model.requests
    assert "| 9번째 장면이었다." in first.user
    assert "| - s2 [(시간 불명)] 끝까지 달렸다." in second.user
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert cycle.episode_summaries == {"p1": ("첫날 만났다.", "끝까지 달렸다.")}


def test_a_retry_does_not_pay_again_for_summaries() -> None:
    world = World(model=FakeModel("- 첫날 만났다.", ModelUnavailableError("503"), FIRST_MEMORY))
    world.plays.plays = [play("p1", scene_count=10)]
    world.plays.stored_scenes = {"p1": scenes(10)}
    with pytest.raises(RetryLaterError):
        world.seed()
    assert status(world) == "seeding"
    assert world.seed().memory_status == "ready"
    assert len(world.model.requests) == 3


def test_a_play_without_summaries_or_scenes_is_an_empty_memory() -> None:
    world = World()
    world.plays.plays = [play("p1", scene_count=12)]
    assert world.seed().memory_status == "empty"
    assert world.store.states[KEY].lease is None
    world.model.answers = [summary()]
    world.chat(12)
    assert world.summarize().outcome == "applied"


def test_a_summary_that_was_due_gets_a_task_of_its_own_when_nothing_was_to_be_seeded() -> None:
    world = World()
    world.plays.plays = [play("p1", scene_count=12)]
    world.chat(12)
    assert [request for *_, request in world.tasks.queued] == [1]
    world.seed()
    assert len(world.tasks.queued) == 2


def test_an_unknown_soul_fails_the_seed_and_says_which() -> None:
    world = played()
    world.store.souls.clear()
    with pytest.raises(DocumentNotFoundError, match="souls/sohee"):
        world.seed()
    assert status(world) == "failed"


def test_outputs_that_do_not_read_fail_the_seed_and_the_chat_goes_on() -> None:
    world = played("모르겠습니다.", summary())
    with pytest.raises(RetryLaterError):
        world.seed()
    assert world.seed().memory_status == "failed"
    assert status(world) == "failed"
    world.model.answers = [summary()]
    world.chat(12)
    assert world.summarize().outcome == "applied"
    assert world.store.states[KEY].generation == 1


def test_a_summary_asked_for_first_waits_its_turn() -> None:
    world = played(FIRST_MEMORY, summary())
    world.chat(12)
    assert [generation for _, generation, _ in world.tasks.queued] == [1]
    world.seed()
    assert world.store.states[KEY].generation == 1
    assert world.summarize(1).outcome == "already_applied"
    assert [generation for _, generation, _ in world.tasks.queued] == [1, 2]
    assert world.summarize(2).outcome == "applied"


def test_a_late_seed_merges_with_the_memory_that_is_there() -> None:
    world = played(summary(), FIRST_MEMORY)
    world.chat(12)
    world.summarize()
    world.seed()
    assert "| - [Messenger / DM / 2026-05-27 (수) / 필름]" in world.model.requests[1].user
    assert "## Recent context" not in world.model.requests[1].user
    assert world.store.states[KEY].generation == 2
    assert world.store.slots[KEY]["recent_context"].content == "- 주말에 사진을 찾으러 가기로 했다."


def test_a_summary_of_a_hundred_thousand_characters_is_cut() -> None:
    world = played(FIRST_MEMORY)
    world.plays.stored_summaries = {"p1": play_summaries("가" * 100_000, "짧은 끝.")}
    world.seed()
    prompt = world.model.requests[0].user
    assert "…(생략)" in prompt
    assert "짧은 끝." in prompt
    assert len(prompt) < world.settings.seed_max_characters + 2_000


def test_a_secret_is_masked_before_a_long_summary_is_cut() -> None:
    world = played(FIRST_MEMORY)
    world.settings = Settings(seed_max_characters=40)
    long = f"{'둘이 달렸다. ' * 3}번호는 010-9876-5432였다. {'둘이 쉬었다. ' * 20}"
    world.plays.plays = [play("p1", episode_title="번호 010-1111-2222 # 끝")]
    world.plays.stored_summaries = {"p1": play_summaries(long)}
    world.seed()
    prompt = world.model.requests[0].user
    assert "010" not in prompt
    assert "| ### 에피소드 1: 번호 [REDACTED] # 끝" in prompt
    told = [event.model_dump() for event in world.events.emitted]
    assert ("episode_summary", "phone") in {(one.get("slot"), one.get("kind")) for one in told}


def test_the_record_says_how_far_each_play_was_read() -> None:
    world = played(FIRST_MEMORY)
    other = play("p0", character_appearances={"sohee": 1})
    world.plays.plays.append(other)
    world.seed()
    record = world.store.plays_read[KEY]
    assert (record.plays["p1"].last_summary, record.plays["p0"].last_summary) == (1, None)
    assert record.plays["p0"].last_played_at == other.last_played_at
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert (cycle.episode_sources, cycle.plays_read) == (("p1/0", "p1/1"), record.plays)


def test_plays_that_vanish_under_a_dead_worker_leave_the_place_to_a_summary() -> None:
    world = played()
    world.model.generate = dying  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        world.seed()
    world.plays.plays.clear()
    world.clock.pass_time(world.settings.lease_seconds + 1)
    assert world.seed().memory_status == "empty"
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert (cycle.kind, cycle.status) == ("summary", "rejected")


def dying(request: object) -> Generation:
    raise ConnectionError


def test_what_an_output_says_of_a_play_that_vanished_is_not_stored() -> None:
    told = '- [Episode / "강변 레이스" / (시간 불명) / 완주] 소희가 {user}를 기다렸다.'
    world = played(FIRST_MEMORY.replace(told, f"{told} (s2)"))
    with world.dying_worker():
        world.seed()
    world.plays.plays.clear()
    world.plays.stored_summaries.clear()
    assert world.seed().memory_status == "ready"
    assert len(world.model.requests) == 1
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert cycle.status == "applied"


def test_a_kept_output_is_held_against_what_it_was_made_from() -> None:
    world = played(FIRST_MEMORY.replace("기다렸다.", "기다렸다. (s2)"))
    with world.dying_worker():
        world.seed()
    earlier = play_summaries("새로 쓴 앞부분.", "둘이 달렸다.", "결승선에서 기다렸다.")
    world.plays.stored_summaries = {"p1": earlier}
    assert world.seed().memory_status == "ready"
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert [row.sources for row in cycle.evidence] == [("p1/1",)]
