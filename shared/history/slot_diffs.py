"""What each generation did to memory, line by line, from the audits of its cycles (PRD §4.3)."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Literal

from pydantic import AwareDatetime

from shared.model.base import Frozen
from shared.model.cycle import Cycle, CycleKind
from shared.model.slots import SLOT_NAMES, SlotName

Fate = Literal["came", "went", "stayed"]


class DiffLine(Frozen):
    """One line of a slot, and what became of it."""

    fate: Fate
    text: str


class SlotDiff(Frozen):
    """One slot across one generation: its lines in reading order, those that went in their place.

    A line that only changed its place has stayed; blank lines are left out.
    """

    slot: SlotName
    lines: tuple[DiffLine, ...] = ()

    @property
    def came(self) -> tuple[str, ...]:
        return self._of("came")

    @property
    def went(self) -> tuple[str, ...]:
        return self._of("went")

    @property
    def stayed(self) -> tuple[str, ...]:
        return self._of("stayed")

    @property
    def is_changed(self) -> bool:
        return any(line.fate != "stayed" for line in self.lines)

    def _of(self, fate: Fate) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.fate == fate)


class GenerationDiff(Frozen):
    """All slots across one generation, in prompt order."""

    generation: int
    kind: CycleKind
    applied_at: AwareDatetime | None
    rolled_back_to: int | None
    slots: tuple[SlotDiff, ...]


def history_of(cycles: Iterable[Cycle]) -> list[GenerationDiff]:
    """The diffs of the applied cycles, oldest first; one whose audit lacks its slots has none."""
    applied = (one for one in cycles if one.status == "applied")
    return [_generation_diff(one) for one in sorted(applied, key=lambda one: one.generation)]


def _generation_diff(cycle: Cycle) -> GenerationDiff:
    slots: tuple[SlotDiff, ...] = ()
    if cycle.before is not None and cycle.after is not None:
        before, after = cycle.before, cycle.after
        slots = tuple(slot_diff(name, before.of(name), after.of(name)) for name in SLOT_NAMES)
    return GenerationDiff(
        generation=cycle.generation,
        kind=cycle.kind,
        applied_at=cycle.applied_at,
        rolled_back_to=cycle.rolled_back_to,
        slots=slots,
    )


def slot_diff(slot: SlotName, before: str, after: str) -> SlotDiff:
    """Which lines of a slot came, went and stayed."""
    old, new = _lines(before), _lines(after)
    laid: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            laid += [DiffLine(fate="stayed", text=text) for text in new[new_start:new_end]]
        else:
            laid += [DiffLine(fate="went", text=text) for text in old[old_start:old_end]]
            laid += [DiffLine(fate="came", text=text) for text in new[new_start:new_end]]
    return SlotDiff(slot=slot, lines=tuple(_without_moves(laid)))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _without_moves(laid: list[DiffLine]) -> list[DiffLine]:
    """A line that went from one place and came to another has stayed where it is now."""
    went = [line.text for line in laid if line.fate == "went"]
    moved: list[str] = []
    settled: list[DiffLine] = []
    for line in laid:
        if line.fate == "came" and line.text in went:
            went.remove(line.text)
            moved.append(line.text)
            settled.append(line.model_copy(update={"fate": "stayed"}))
        else:
            settled.append(line)
    kept: list[DiffLine] = []
    for line in settled:
        if line.fate == "went" and line.text in moved:
            moved.remove(line.text)
        else:
            kept.append(line)
    return kept
