"""What recall is asked, and what it answers."""

from enum import StrEnum
from typing import NamedTuple

from shared.model.base import Frozen
from shared.recall.entry import Secrecy


class Query(Frozen):
    """The user's current turn, and up to three messages behind it, the latest first.

    `people` are those present besides the two who chat, `turn` is the number of the current
    turn, `may_know` the secrecies that may enter this prompt.
    """

    text: str
    recent: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    turn: int = 0
    may_know: frozenset[Secrecy] = frozenset({Secrecy.OPEN, Secrecy.SOUL_ONLY})


class Outcome(StrEnum):
    """Why an entry is in, or is not."""

    CHOSEN = "chosen"
    RELATED = "related"  # in, since a chosen entry is related to it
    SECRET = "secret"
    NO_EVIDENCE = "no_evidence"
    SAME = "same"  # as one that is in
    KIND_FULL = "kind_full"
    CYCLE_FULL = "cycle_full"
    BELOW_LIMIT = "below_limit"
    STANDS_ALREADY = "stands_already"  # in long-term memory or in the live window
    OVER_BUDGET = "over_budget"


class Lanes(NamedTuple):
    """Each lane's value, 0 to 1, before its weight."""

    keyword: float = 0.0
    lexical: float = 0.0
    near: float = 0.0
    far: float = 0.0
    hashed: float = 0.0
    semantic: float = 0.0
    people: float = 0.0
    importance: float = 0.0
    recency: float = 0.0


class Explained(Frozen):
    """One entry that was considered: what each lane gave it, and what became of it."""

    entry_id: str
    lanes: Lanes
    score: float
    outcome: Outcome


class Recall(Frozen):
    """The ids to bring in, best first, those that only relations brought at the end.

    `explained` holds every candidate and the best of those without evidence, by score;
    `semantic_off` says why there was no semantic lane, and is empty when there was one.
    """

    entry_ids: tuple[str, ...] = ()
    explained: tuple[Explained, ...] = ()
    semantic_off: str = ""
