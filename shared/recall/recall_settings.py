"""How recall weighs and chooses; the defaults were measured (docs/adr/0014)."""

from functools import cached_property
from typing import Annotated

from pydantic import Field

from shared.model.base import Frozen

Weight = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class RecallWeights(Frozen):
    """What each lane, from 0 to 1, adds to a score; in the order of `query.Lanes`."""

    keyword: Weight = 1.0
    lexical: Weight = 1.0
    near: Weight = 0.4
    far: Weight = 1.0
    hashed: Weight = 0.05
    semantic: Weight = 0.3
    people: Weight = 0.2
    importance: Weight = 0.04
    recency: Weight = 0.02

    @cached_property
    def in_order(self) -> tuple[float, ...]:
        """The weights alone."""
        return tuple(self.model_dump().values())


class RecallSettings(Frozen):
    """Widths are entries on either side, ages are turns, shares are of a lane's best."""

    weights: RecallWeights = RecallWeights()
    near_width: Count = 1
    far_width: Count = 4
    recent_messages: Count = 3
    recent_weight: Weight = 0.3
    syllable_weight: Weight = 0.2
    minimum_lexical: Share = 0.08
    evidence_width: Count = 1
    minimum_hashed: Share = 0.2
    fresh_turns: Count = 12
    settling_turns: Count = 40
    fossilized_turns: Count = 120
    candidates: Count = 80
    limit: Count = 10
    most_of_a_kind: Count = 3
    most_of_a_cycle: Count = 2
    diversity: Share = 0.3
    same: Share = 0.97
    hops: Annotated[int, Field(ge=0, le=3)] = 1
    most_related: Count = 3
