"""The file that a user is given: docs/export.schema.json is made of these models.

Documents are as they are stored. Of a cycle's audit the user gets what is theirs: when it was,
what it read and what memory said after it; not the prompt, nor the model's raw answers, nor how
lines were judged.
"""

from typing import Any, Literal

from pydantic import AwareDatetime, Field

from shared.exporting.export_ports import BudgetDay, KeptFile, LiveDocument
from shared.model.base import Frozen
from shared.model.cycle import Cycle, CycleKind, CycleStatus, FailureClass
from shared.model.lorebook import LorebookEntry
from shared.model.play import Play, PlaySummary, Scene
from shared.model.slots import Slot, SlotName, Slots
from shared.model.thread import MemoryStatus, Message, MessageRef

SCHEMA_VERSION: Literal[1] = 1


class ExportedCycle(Frozen):
    """One rewriting of memory: when, of what, and what memory said after it.

    `messages` and `tokens` are of the messages it consumed, `first` to `last`; `tokens_in` and
    `tokens_out` the model's own figures. `set_aside` are messages that the model refused.
    """

    cycle_id: str
    kind: CycleKind
    status: CycleStatus
    requested_at: AwareDatetime
    applied_at: AwareDatetime | None = None
    messages: int = 0
    tokens: int = 0
    first: MessageRef | None = None
    last: MessageRef | None = None
    episode_play_ids: tuple[str, ...] = ()
    lorebook_entries: int = 0
    after: Slots | None = None
    attempts: int = 0
    failure: FailureClass | None = None
    set_aside: tuple[MessageRef, ...] = ()
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None


class ExportedThread(Frozen):
    """A chat with a Soul: what was said, and what is remembered of it.

    `withdrawn_entries` are lorebook entries that are no part of memory any more.
    """

    soul_id: str
    created_at: AwareDatetime | None = None
    memory_status: MemoryStatus = "pending"
    messages: tuple[Message, ...] = ()
    slots: dict[SlotName, Slot] = Field(default_factory=dict)
    lorebook: tuple[LorebookEntry, ...] = ()
    withdrawn_entries: tuple[LorebookEntry, ...] = ()
    cycles: tuple[ExportedCycle, ...] = ()
    live: dict[str, LiveDocument] = Field(default_factory=dict)


class ExportedPlay(Frozen):
    """A play-through of an episode, as the game recorded it."""

    play: Play
    summaries: tuple[PlaySummary, ...] = ()
    scenes: tuple[Scene, ...] = ()


class Export(Frozen):
    """Everything that Soul Memory keeps of one user.

    Times are in UTC. `images` are named here and got by the app. `unreadable` are the paths of
    documents that are kept and do not read as what they should be. A field without a value is
    left out.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    uid: str
    made_at: AwareDatetime
    threads: tuple[ExportedThread, ...] = ()
    plays: tuple[ExportedPlay, ...] = ()
    budgets: tuple[BudgetDay, ...] = ()
    images: tuple[KeptFile, ...] = ()
    unreadable: tuple[str, ...] = ()


def exported_cycle(cycle: Cycle) -> ExportedCycle:
    """What of a cycle is the user's."""
    consumed, output = cycle.consumed, cycle.output
    return ExportedCycle(
        **{name: getattr(cycle, name) for name in _AS_STORED},
        messages=consumed.count if consumed else 0,
        tokens=consumed.tokens if consumed else 0,
        first=consumed.first if consumed else None,
        last=consumed.last if consumed else None,
        failure=cycle.failure.failure_class if cycle.failure else None,
        model=output.model_answered if output else None,
        tokens_in=output.tokens_in if output else None,
        tokens_out=output.tokens_out if output else None,
    )


_AS_STORED = sorted(set(ExportedCycle.model_fields) & set(Cycle.model_fields) - {"failure"})


def export_schema() -> dict[str, Any]:
    """The file's shape, as JSON Schema 2020-12."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Export.model_json_schema(),
    }
