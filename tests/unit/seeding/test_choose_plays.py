"""The three branches of the seed's sources (PRD §5.0)."""

from datetime import timedelta

import pytest

from shared.model.play import Play
from shared.seeding.choose_plays import choose_plays
from tests.factories import NOW, play, play_summaries
from tests.fakes import FakePlays


def chosen(plays: FakePlays) -> list[tuple[str, int]]:
    return [
        (one.play.play_id, len(one.summaries)) for one in choose_plays("u1", {"sohee"}, plays=plays)
    ]


def recorded(*plays: Play, summaries: dict[str, int] | None = None) -> FakePlays:
    fake = FakePlays()
    fake.plays = list(plays)
    fake.stored_summaries = {
        play_id: play_summaries(*["있었던 일"] * count)
        for play_id, count in (summaries or {}).items()
    }
    return fake


def test_no_scene_was_ever_made() -> None:
    assert chosen(recorded()) == []
    assert chosen(recorded(play("p1", scene_count=0), summaries={"p1": 3})) == []


def test_every_episode_that_has_a_summary_is_a_source_in_order() -> None:
    plays = recorded(
        play("p3", episode_id="e3", episode_number=3),
        play("p1"),
        play("p2", episode_id="e2", episode_number=2),
        summaries={"p1": 2, "p3": 4},
    )
    assert chosen(plays) == [("p1", 2), ("p3", 4)]


def test_an_episode_without_the_souls_character_is_not_linked() -> None:
    other = {"jaemin": 9, "sohee": 0}
    plays = recorded(play("p1", character_appearances=other), summaries={"p1": 3})
    assert chosen(plays) == []


@pytest.mark.parametrize(
    ("why", "worse", "better"),
    [
        ("most appearances", {"cleared_at": NOW}, {"character_appearances": {"sohee": 4}}),
        ("then the latest cleared", {"last_played_at": NOW}, {"cleared_at": NOW}),
        (
            "then the latest played",
            {"cleared_at": NOW, "last_played_at": NOW - timedelta(days=2)},
            {"cleared_at": NOW, "last_played_at": NOW - timedelta(days=1)},
        ),
    ],
)
def test_one_play_an_episode(why: str, worse: dict[str, object], better: dict[str, object]) -> None:
    first, second = play("p1", **worse), play("p2", **better)
    for order in ([first, second], [second, first]):
        assert chosen(recorded(*order, summaries={"p1": 3, "p2": 1})) == [("p2", 1)], why


def test_appearances_of_all_the_souls_characters_count() -> None:
    plays = recorded(
        play("p1", character_appearances={"sohee": 5}),
        play("p2", character_appearances={"sohee": 3, "sohee_child": 4}),
        summaries={"p1": 1, "p2": 1},
    )
    found = choose_plays("u1", {"sohee", "sohee_child"}, plays=plays)
    assert [one.play.play_id for one in found] == ["p2"]


def test_a_play_without_summaries_gives_way_to_one_that_has_some() -> None:
    plays = recorded(play("p1", character_appearances={"sohee": 9}), play("p2"))
    plays.stored_summaries = {"p1": play_summaries("  "), "p2": play_summaries("있었던 일")}
    assert chosen(plays) == [("p2", 1)]


def test_scenes_without_any_summary() -> None:
    nine = recorded(play("p1", scene_count=4), play("p2", episode_id="e2", scene_count=5))
    assert chosen(nine) == []
    ten = recorded(play("p1", scene_count=5), play("p2", episode_id="e2", scene_count=5))
    assert chosen(ten) == [("p1", 0), ("p2", 0)]
    twice = recorded(
        play("p1", scene_count=12), play("p2", scene_count=2, character_appearances={"sohee": 8})
    )
    assert chosen(twice) == [("p2", 0)]
