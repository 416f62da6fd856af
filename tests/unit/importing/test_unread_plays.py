"""What counts as played since: new plays, plays that went on, and nothing else (PRD §5.0, §5.1)."""

from collections.abc import Sequence

import pytest

from shared.importing.unread_plays import LOOKED_BACK, choose_unread
from shared.model.memory_import import MAX_PLAYS, PlayRead, PlaysRead
from shared.seeding.choose_plays import ChosenPlay
from tests.factories import KEY, NOW, World, play, play_summaries, scenes
from tests.unit.importing.played import ago, cycle, import_now, merged, play_more, play_on, seeded


def unread(world: World) -> Sequence[ChosenPlay]:
    return choose_unread(KEY, ["sohee"], memory=world.store, plays=world.plays)[0]


def ids(world: World) -> list[str]:
    return [one.play.play_id for one in unread(world)]


def texts(world: World) -> list[str]:
    return [summary.text for one in unread(world) for summary in one.summaries]


def test_what_the_seed_has_read_is_not_new() -> None:
    assert ids(seeded()) == []


def test_a_play_of_another_episode_is_new() -> None:
    world = seeded()
    play_more(world)
    assert ids(world) == ["p2"]


def test_another_play_of_the_same_episode_is_new_though_the_first_is_preferred() -> None:
    world = seeded()
    play_more(world, episode_id="e1", character_appearances={"sohee": 1})
    assert ids(world) == ["p2"]


def test_an_older_play_that_the_seed_passed_over_is_not_new() -> None:
    world = World()
    world.plays.plays = [play("p1"), play("p0", character_appearances={"sohee": 1})]
    world.plays.stored_summaries = {
        "p1": play_summaries("둘이 달렸다."),
        "p0": play_summaries("둘이 넘어졌다."),
    }
    world.model.answers = [merged('[Episode / "강변 레이스" / (시간 불명) / 완주] 달렸다. (s1)')]
    world.seed()
    assert ids(world) == []
    play_on(world, "p0", "둘이 일어났다.")
    assert ids(world) == ["p0"]


def test_of_new_plays_of_one_episode_the_preferred_speaks_for_it_and_the_other_is_passed_over() -> (
    None
):
    world = seeded(merged())
    play_more(world, "p2", character_appearances={"sohee": 5})
    play_more(world, "p3", character_appearances={"sohee": 2})
    assert ids(world) == ["p2"]
    assert import_now(world).episode_play_ids == ("p2",)
    assert ids(world) == []


def test_a_play_that_went_on_gives_its_new_summaries_alone() -> None:
    world = seeded()
    play_on(world, "p1", "둘이 다리 위에서 쉬었다.")
    assert texts(world) == ["둘이 다리 위에서 쉬었다."]


def test_a_summary_that_came_after_the_play_was_read_is_new() -> None:
    world = seeded()
    play_on(world, "p1", "둘이 다리 위에서 쉬었다.", days_ago=9)
    assert texts(world) == ["둘이 다리 위에서 쉬었다."]


def test_a_play_that_went_on_without_a_new_summary_gives_them_all() -> None:
    world = seeded()
    play_on(world, "p1")
    assert texts(world) == ["둘이 달렸다.", "결승선에서 기다렸다."]


def test_a_play_of_somebody_else_is_not_new() -> None:
    world = seeded()
    play_more(world, character_appearances={"minho": 9})
    assert ids(world) == []


@pytest.mark.parametrize(("count", "chosen"), [(9, []), (10, ["p2"])])
def test_a_new_play_without_summaries_needs_ten_scenes(count: int, chosen: list[str]) -> None:
    world = seeded()
    play_more(world, scene_count=count)
    world.plays.stored_summaries["p2"] = []
    assert ids(world) == chosen


def test_a_play_that_had_nothing_to_read_is_new_when_it_has() -> None:
    world = World()
    world.plays.plays = [play("p1"), play("p2", episode_id="e2", scene_count=4)]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
    world.model.answers = [merged('[Episode / "강변 레이스" / (시간 불명) / 완주] 달렸다. (s1)')]
    world.seed()
    world.plays.stored_summaries["p2"] = play_summaries("둘이 걸었다.")
    assert ids(world) == ["p2"]


def test_summaries_that_were_written_for_a_play_are_not_read_again_as_the_games() -> None:
    world = World()
    world.plays.plays = [play("p1")]
    world.plays.stored_scenes = {"p1": scenes(12)}
    world.model.answers = ["- 첫날 만났다.", merged()]
    world.seed()
    assert ids(world) == []
    world.plays.stored_summaries["p1"] = play_summaries("첫날 둘이 만났다.")
    assert ids(world) == []


def test_only_plays_of_late_are_asked_for_new_summaries() -> None:
    world = World()
    world.plays.plays = [
        play(f"p{number:02d}", episode_id=f"e{number}", last_played_at=ago(number))
        for number in range(LOOKED_BACK + 1)
    ]
    read = {one.play_id: PlayRead(last_played_at=NOW, last_summary=-1) for one in world.plays.plays}
    world.store.plays_read[KEY] = PlaysRead(plays=read)
    last = f"p{LOOKED_BACK:02d}"
    world.plays.stored_summaries = {last: play_summaries("멀다."), "p00": play_summaries("가깝다.")}
    assert ids(world) == ["p00"]


def test_a_thread_from_before_the_record_falls_back_on_its_seeds_audit() -> None:
    world = seeded()
    world.store.plays_read.clear()
    world.plays.plays.append(play("p0", last_played_at=ago(20)))
    play_more(world, days_ago=30)
    assert ids(world) == ["p2"], "of another episode: nothing says that it was read"
    play_on(world, "p1", "둘이 다리 위에서 쉬었다.", days_ago=-1)
    assert ids(world) == ["p1", "p2"]


def test_the_fallback_is_put_on_record_by_the_next_import() -> None:
    world = seeded(merged())
    world.store.plays_read.clear()
    play_more(world)
    assert import_now(world).status == "imported"
    assert set(world.store.plays_read[KEY].plays) == {"p1", "p2"}
    assert set(cycle(world).plays_read) == {"p1", "p2"}


def test_the_record_is_bounded_and_forgets_the_oldest_as_read() -> None:
    many = {f"p{n}": PlayRead(last_played_at=ago(n)) for n in range(MAX_PLAYS + 2)}
    record = PlaysRead().with_plays(many)
    assert len(record.plays) == MAX_PLAYS
    assert record.until == ago(MAX_PLAYS)
    assert record.with_plays({"p0": PlayRead(last_played_at=NOW)}).until == ago(MAX_PLAYS)
    world = World()
    world.store.plays_read[KEY] = record
    world.plays.plays = [
        play(f"p{MAX_PLAYS}", last_played_at=ago(MAX_PLAYS)),
        play("px", episode_id="ex", last_played_at=ago(MAX_PLAYS - 0.5)),
    ]
    world.plays.stored_summaries = {"px": play_summaries("걸었다."), f"p{MAX_PLAYS}": []}
    assert ids(world) == ["px"]
