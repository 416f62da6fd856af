"""Which plays a first memory is made from (PRD §5.0, the three branches)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from pydantic import Field

from shared.model.base import Frozen
from shared.model.memory_import import PlayRead
from shared.model.play import NO_SUMMARY, Play, PlaySummary
from shared.ports import Plays

MIN_SCENES = 10
_NEVER = datetime.min.replace(tzinfo=UTC)


class ChosenPlay(Frozen):
    """One play, its episode's representative, with its stored summaries (maybe none).

    `last_summary` is the last index of the game's own. `passed_over` is how far the episode's
    other plays had gone.
    """

    play: Play
    summaries: tuple[PlaySummary, ...] = ()
    last_summary: int | None = None
    passed_over: dict[str, PlayRead] = Field(default_factory=dict)

    @property
    def read(self) -> dict[str, PlayRead]:
        """How far each play of the episode had gone, by id."""
        own = PlayRead(last_played_at=self.play.last_played_at, last_summary=self.last_summary)
        return {**self.passed_over, self.play.play_id: own}


def choose_plays(uid: str, character_ids: Collection[str], *, plays: Plays) -> list[ChosenPlay]:
    """One play an episode, in the order of the episodes; empty when there is nothing to seed from.

    1. No scene was ever made: nothing.
    2. Some episode of the soul's has a summary: of every such episode the preferred play that
       has one.
    3. Scenes but no summary: nothing below 10 scenes in all; else the preferred play of every
       episode, without summaries, for the caller to write them first.
    """
    linked = [play for play in plays.list_plays(uid) if appearances(play, character_ids) > 0]
    scenes = sum(play.scene_count for play in linked)
    if scenes == 0:
        return []
    episodes = _by_episode(linked, character_ids)
    summarized = [
        chosen for ranked in episodes if (chosen := _first_summarized(uid, ranked, plays))
    ]
    if summarized:
        return summarized
    if scenes < MIN_SCENES:
        return []
    preferred = (
        (next((one for one in ranked if one.scene_count), None), ranked) for ranked in episodes
    )
    return [
        ChosenPlay(play=play, passed_over=_passed_over(ranked, NO_SUMMARY))
        for play, ranked in preferred
        if play is not None
    ]


def appearances(play: Play, character_ids: Collection[str]) -> int:
    """How often the soul's characters appear in a play."""
    return sum(play.character_appearances.get(character, 0) for character in character_ids)


def _by_episode(linked: Sequence[Play], character_ids: Collection[str]) -> list[list[Play]]:
    """Plays grouped by episode, each group the preferred first.

    Preferred: most appearances, then the latest cleared, then the latest played.
    """
    groups: dict[str, list[Play]] = defaultdict(list)
    for play in linked:
        groups[play.episode_id].append(play)
    for group in groups.values():
        group.sort(
            key=lambda play: (
                appearances(play, character_ids),
                play.cleared_at or _NEVER,
                play.last_played_at,
                play.play_id,
            ),
            reverse=True,
        )
    return sorted(groups.values(), key=lambda group: (group[0].episode_number, group[0].episode_id))


def _first_summarized(uid: str, ranked: Sequence[Play], plays: Plays) -> ChosenPlay | None:
    for place, play in enumerate(ranked):
        stored = plays.summaries(uid, play.play_id)
        found = tuple(s for s in stored if s.text.strip())
        if found:
            return ChosenPlay(
                play=play,
                summaries=found,
                last_summary=max(one.index for one in stored),
                passed_over=_passed_over(ranked[:place], NO_SUMMARY)
                | _passed_over(ranked[place + 1 :], None),
            )
    return None


def _passed_over(plays: Sequence[Play], last_summary: int | None) -> dict[str, PlayRead]:
    """Plays that another one speaks for; None where nobody looked at their summaries."""
    return {
        play.play_id: PlayRead(last_played_at=play.last_played_at, last_summary=last_summary)
        for play in plays
    }
