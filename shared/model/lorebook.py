"""The lorebook: what happened, one entry an event, appended by each summary cycle."""

from typing import Literal, get_args

from pydantic import AwareDatetime

from shared.model.base import Stored

EntryKind = Literal[
    "event",
    "relationship",
    "fact",
    "preference",
    "promise",
    "condition",
    "item",
    "place",
    "secret",
    "belief",
]
RelationKind = Literal["related", "cause", "contradicts", "part_of", "precedes", "reveals"]
Secrecy = Literal["open", "soul-only", "user-only"]

ENTRY_KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
RELATION_KINDS: tuple[RelationKind, ...] = get_args(RelationKind)
SECRECIES: tuple[Secrecy, ...] = get_args(Secrecy)
DEFAULT_IMPORTANCE = 3


class Relation(Stored):
    """How this entry stands to another."""

    kind: RelationKind
    entry_id: str


class LorebookEntry(Stored):
    """One event as stored. Its id is made of its cycle and index, so a replay cannot double it.

    `kind` is None where nobody said; `importance` is 1 to 5; `turn` is how many turns the thread
    had seen when it was written.
    `source_ids` are the messages that it rests on (none: it was written before they were kept).
    `secrecy`: `soul-only` is what the Soul knows and has not told, `user-only` what the user has
    not told the Soul and no prompt of the Soul's may hold. A `belief` is somebody's, not a fact.
    """

    title: str
    keywords: tuple[str, ...]
    occurred_at: str
    record: str
    cycle_id: str
    index: int
    created_at: AwareDatetime
    kind: EntryKind | None = None
    importance: int = DEFAULT_IMPORTANCE
    people: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    secrecy: Secrecy = "open"
    turn: int = 0
    source_ids: tuple[str, ...] = ()

    @property
    def entry_id(self) -> str:
        return entry_id(self.cycle_id, self.index)


def entry_id(cycle_id: str, index: int) -> str:
    """The document id of the `index`-th entry of a cycle."""
    return f"{cycle_id}-{index:03d}"
