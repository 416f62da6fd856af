"""What recall knows of a lorebook entry."""

from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field

from shared.model.base import Frozen


class Secrecy(StrEnum):
    """Who of the two knows of it."""

    OPEN = "open"
    SOUL_ONLY = "soul_only"
    USER_ONLY = "user_only"


class RelationKind(StrEnum):
    """How one event stands to another."""

    RELATED = "related"
    CAUSE = "cause"
    CONTRADICTS = "contradicts"
    PART_OF = "part_of"
    PRECEDES = "precedes"
    REVEALS = "reveals"


class Relation(NamedTuple):
    """From the entry that carries it to the entry `target`."""

    kind: RelationKind
    target: str


class RecallEntry(Frozen):
    """An entry as it goes into the index.

    `turn` is the thread's turn at which it was written down, `kind` is empty when unknown, and
    `vector` is what `hash_vectors.hash_vector` made of it when it was stored (1,024 bytes);
    None makes one. Entries of one `cycle_id` are neighbours in the order of the index.
    """

    entry_id: str
    cycle_id: str
    turn: Annotated[int, Field(ge=0)] = 0
    title: str
    keywords: tuple[str, ...] = ()
    record: str
    kind: str = ""
    importance: Annotated[int, Field(ge=1, le=5)] = 3
    people: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    secrecy: Secrecy = Secrecy.OPEN
    vector: bytes | None = None

    @property
    def text(self) -> str:
        """What the lanes search."""
        return "\n".join((self.title, ", ".join(self.keywords), self.record))


class Fields(NamedTuple):
    """What the index keeps of an entry besides its grams and its vector."""

    entry_id: str
    cycle_id: str
    turn: int
    keywords: tuple[str, ...]
    kind: str
    importance: int
    people: tuple[str, ...]
    relations: tuple[Relation, ...]
    secrecy: Secrecy


def fields_of(entry: RecallEntry) -> Fields:
    """The part of an entry that the index keeps as it is."""
    return Fields(
        entry.entry_id,
        entry.cycle_id,
        entry.turn,
        entry.keywords,
        entry.kind,
        entry.importance,
        entry.people,
        entry.relations,
        entry.secrecy,
    )
