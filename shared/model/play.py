"""What the game recorded of an episode: raw source for a seed, never in a prompt as it is."""

from typing import Annotated

from pydantic import AwareDatetime, Field

from shared.model.base import Stored

NO_SUMMARY = -1
"""The index of the last summary of a play that has none."""


class Play(Stored):
    """One play-through of an episode (contract: `users/{uid}/plays/{play_id}`)."""

    play_id: str
    episode_id: str
    episode_number: int
    episode_title: str
    scene_count: Annotated[int, Field(ge=0)]
    character_appearances: dict[str, int] = Field(default_factory=dict)
    last_played_at: AwareDatetime
    cleared_at: AwareDatetime | None = None


class PlaySummary(Stored):
    """One stored summary of a play, in the order of `index`."""

    index: int
    text: str
    occurred_at: str | None = None


class Scene(Stored):
    """One scene of a play, in the order of `index`."""

    index: int
    text: str
