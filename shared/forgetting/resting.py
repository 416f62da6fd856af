"""What of memory rests on a message as it was: by the ids in the audits, and by its words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shared.forgetting.change_ports import ChangeRecord
from shared.forgetting.old_words import OldWords, Rest
from shared.model.cycle import Consumed, Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES, Slots
from shared.model.thread import Message, MessageRef
from shared.summarizing.checking import MAX_LINE
from shared.text import cut_text

ALWAYS_THERE = "{user} Messenger DM Episode"


@dataclass(frozen=True)
class Changed:
    """A message as it was, and what it says no longer; `again` where it is there, and says more.

    `change_id` names the edit or deletion, `record` is how far it is.
    """

    change_id: str
    record: ChangeRecord
    message: Message
    words: OldWords
    again: bool = False

    @property
    def ref(self) -> MessageRef:
        return self.message.ref

    def was_reached_by(self, cycle: Cycle) -> bool:
        """Whether an applied cycle would have consumed it, had it been there."""
        consumed = cycle.consumed
        if cycle.applied_at is None or consumed is None or consumed.last.is_before(self.ref):
            return False
        return consumed.after is None or consumed.after.is_before(self.ref)

    def was_read_by(self, cycle: Cycle) -> bool:
        """Whether an applied cycle consumed it: it may have been deleted before it was read."""
        if cycle.consumed is None or not self.was_reached_by(cycle):
            return False
        ids = cycle.consumed.message_ids
        return not ids or self.ref.message_id in ids or self.message.set_aside_by is not None


@dataclass(frozen=True)
class Resting:
    """Judges lines and entries of memory, by the audits since the message was consumed.

    `said_beside` gives what the other messages of a cycle say, `director` what the director
    wrote: words that stand there too are not the message's alone. Neither a line that was there
    before the message was consumed rests on it, nor one that rests on episodes alone. What
    an attempt before this one has found, does.
    """

    changed: Changed
    audits: Sequence[Cycle]
    said_beside: Callable[[Consumed], str]
    director: str
    _rests: dict[tuple[str, ...], Rest] = field(default_factory=dict)

    @cached_property
    def consumers(self) -> list[Cycle]:
        """The applied cycles that read the message as new; several where one was undone."""
        return [one for one in self.audits if self.changed.was_read_by(one)]

    @cached_property
    def lines(self) -> set[str]:
        """Those found to rest on it so far."""
        return set(self.changed.record.lines)

    def slots(self, slots: Slots, *, of: Cycle | None = None) -> Slots:
        """The slots without the bullets that rest on it; `of` is the cycle that left them."""
        return Slots(**{name: self._without(slots.of(name), of) for name in SLOT_NAMES})

    def rests(self, line: str, of: Cycle | None) -> bool:
        """Whether this line, without its bullet and ids, may stand no longer."""
        if not line or line in self._older:
            return False
        if line not in self.lines and self._is_found(line, of):
            self.lines.add(line)
        return line in self.lines

    def _is_found(self, line: str, of: Cycle | None) -> bool:
        sources = self.sources.get(cut_line(line), ())
        if self.message_id in sources:
            return True
        if sources and all(is_of_episode(one) for one in sources):
            return False
        return self.changed.words.are_in(line, self._rest_of(self._origins.get(line, of)))

    def entry_rests(self, entry: LorebookEntry, surviving: set[str]) -> bool:
        """Whether the entry may stand no longer: on this alone, or saying what it alone said."""
        sources = self.sources_of(entry)
        others = surviving.intersection(sources) - {self.message_id}
        if self.message_id in sources and not others:
            return True
        told = "\n".join((entry.title, entry.record, *entry.keywords, *entry.people))
        of = next((one for one in self.audits if one.cycle_id == entry.cycle_id), None)
        return self.changed.words.are_in(told, self._rest_of(of))

    def sources_of(self, entry: LorebookEntry) -> tuple[str, ...]:
        """As the entry has them; as its cycle's audit has them, where it is older than that."""
        told = cut_line(f"{entry.title}. {entry.record}")
        return entry.source_ids or self.sources.get(told, ())

    @property
    def message_id(self) -> str:
        return self.changed.ref.message_id

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """What each line of the audits rests on; lines are cut there, where they are long."""
        return {row.line: row.sources for one in self.audits for row in one.evidence if row.sources}

    @cached_property
    def _older(self) -> set[str]:
        """The lines that were there when the message was first consumed, or that a rollback has
        brought back from before.
        """
        if not self.consumers:
            return set()
        first = self.consumers[0]
        back = [
            one.after
            for one in self.audits
            if one.rolled_back_to is not None and one.rolled_back_to < first.generation
        ]
        return {line for slots in (first.before, *back) if slots for line in _bullets(slots)}

    @cached_property
    def _origins(self) -> dict[str, Cycle]:
        """The first cycle that left each line."""
        found: dict[str, Cycle] = {}
        for one in self.audits:
            for line in _bullets(one.after) if one.after else ():
                found.setdefault(line, one)
        return found

    def _without(self, text: str, of: Cycle | None) -> str:
        lines = text.split("\n")
        kept = [one for one in lines if one[:2] != "- " or not self.rests(plain(one), of)]
        return "\n".join(
            line
            for line, following in zip(kept, [*kept[1:], ""], strict=False)
            if not line.startswith("#") or following.startswith("- ")
        )

    def _rest_of(self, cycle: Cycle | None) -> Rest:
        """What else was read by `cycle` and by the first that read the message."""
        readers = {one.cycle_id: one for one in (*self.consumers[:1], *([cycle] if cycle else []))}
        known = self._rests.get(tuple(readers))
        if known is None:
            said = [self.said_beside(one.consumed) for one in readers.values() if one.consumed]
            known = Rest(ALWAYS_THERE, self.director, *self._older, *said)
            self._rests[tuple(readers)] = known
        return known


def plain(line: str) -> str:
    """A line without its bullet."""
    return line.strip().removeprefix("- ").strip()


def cut_line(line: str) -> str:
    """As an audit's evidence has it."""
    return cut_text(line, MAX_LINE, "…")


def is_of_episode(source: str) -> bool:
    """Whether a source of the evidence is a summary, `play_id/index`, and no message."""
    return "/" in source


def _bullets(slots: Slots) -> Iterator[str]:
    for name in SLOT_NAMES:
        yield from (plain(line) for line in slots.of(name).split("\n") if line[:2] == "- ")
