"""The four slots that the system owns, and the three documents that the director owns."""

from typing import Annotated, Literal, get_args

from pydantic import AwareDatetime, StringConstraints

from shared.model.base import Frozen, Stored

SlotName = Literal[
    "long_term_memory", "soul_relational_persona", "user_relational_persona", "recent_context"
]
SLOT_NAMES: tuple[SlotName, ...] = get_args(SlotName)
SEEDED_SLOT_NAMES: tuple[SlotName, ...] = SLOT_NAMES[:3]

NonBlank = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Slot(Stored):
    """One system slot as stored: markdown, and which cycle wrote it."""

    content: str = ""
    version: int = 0
    cycle_id: str = ""
    updated_at: AwareDatetime | None = None
    token_count: int = 0


class Slots(Frozen):
    """The four slots' text; an absent slot is the empty string."""

    long_term_memory: str = ""
    soul_relational_persona: str = ""
    user_relational_persona: str = ""
    recent_context: str = ""

    def of(self, name: SlotName) -> str:
        text: str = getattr(self, name)
        return text

    def changed_from(self, before: "Slots") -> list[SlotName]:
        """The slots whose text differs from `before`, in prompt order."""
        return [name for name in SLOT_NAMES if self.of(name) != before.of(name)]


class Soul(Stored):
    """`souls/{soul_id}`: which characters of the game the Soul is, and its clock."""

    character_ids: tuple[str, ...]
    time_zone: str = "Asia/Seoul"
    language: str = "ko"


class MessengerBio(Stored):
    """What the messenger shows of a Soul: name and status message."""

    display_name: NonBlank
    status: str = ""


class DefaultPersona(Stored):
    """The Soul's ground, the same for every user; no cycle ever writes it."""

    content: NonBlank


class InitialSituation(Stored):
    """How the first chat opens; optional."""

    content: str = ""
