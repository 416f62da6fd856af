"""An output that reads well, against what it was made from: what stays, what goes, and why.

PRD §4.3 to §4.6, §5.3, §6.4, §7: nothing invented, no label raised, nothing open called settled.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from shared.model.base import Frozen
from shared.model.evidence import EvidenceRow, Verdict
from shared.model.slots import SlotName, Slots
from shared.safety.dates import UNKNOWN_TIME
from shared.safety.evidence import REFUSED, Claim, Evidence, Source
from shared.safety.promotion import Promotions, descent, is_of_persona
from shared.safety.quotes import quotes_in
from shared.summarizing.entry_check import EntryCheck, is_quoted
from shared.summarizing.ltm_bullet import read_bullet
from shared.summarizing.memory_document import MemoryOutput, SummaryOutput
from shared.summarizing.source_ids import split_ids
from shared.text import cut_text

Section = Literal["recent", "ltm", "relational", "profile", "how"]
M = TypeVar("M", bound=MemoryOutput)

SLOT_OF: Mapping[Section, SlotName] = {
    "recent": "recent_context",
    "ltm": "long_term_memory",
    "relational": "soul_relational_persona",
    "profile": "user_relational_persona",
    "how": "user_relational_persona",
}
MAX_ROWS = 100
MAX_LINE = 300
_UNREMARKABLE: frozenset[Verdict] = frozenset({"supported", "carried"})


class Reading(Frozen):
    """What a call was made from: its sources, and whose memory it is."""

    sources: tuple[Source, ...]
    soul_name: str
    persona: str


@dataclass
class Checked:
    """The rows of the audit, the gravest of them first where there are too many."""

    rows: list[EvidenceRow] = field(default_factory=list)

    def add(self, slot: str, line: str, sources: tuple[str, ...], verdict: Verdict) -> None:
        """Judge one line. The audit is bounded, a line of it too."""
        text = cut_text(line, MAX_LINE, "…")
        self.rows.append(EvidenceRow(slot=slot, line=text, sources=sources, verdict=verdict))

    @property
    def audit(self) -> tuple[EvidenceRow, ...]:
        """At most so many rows, in their order; what passed makes room for what did not."""
        plain = [row for row in self.rows if row.verdict in _UNREMARKABLE]
        left_out = {id(row) for row in plain[max(0, len(plain) - (len(self.rows) - MAX_ROWS)) :]}
        kept = self.rows
        if len(self.rows) > MAX_ROWS:
            kept = [row for row in self.rows if id(row) not in left_out]
        return tuple(kept[:MAX_ROWS])

    @property
    def refusals(self) -> list[Verdict]:
        """Why each line was refused."""
        return [row.verdict for row in self.rows if row.verdict in REFUSED]


class OutputCheck:
    """Judges an output line by line against one call's sources and the slots before."""

    def __init__(self, reading: Reading, before: Slots) -> None:
        self._old = bullets_of(before)
        lines = [line for found in self._old.values() for line in found]
        self._known = {_plain(line) for line in lines}
        self._evidence = Evidence(reading.sources, soul_name=reading.soul_name, before=lines)
        self._promotions = Promotions(reading.sources, names=self._evidence.names, before=lines)
        self._persona = reading.persona
        self._checked = Checked()

    def check(self, output: M) -> tuple[M, Checked]:
        """The output with every line that may be stored, without ids, and what became of each."""
        letter = output.source_letter
        kept: dict[str, object] = {
            section: self._section(section, getattr(output, section), letter) for section in SLOT_OF
        }
        self._keep_from_emptying(kept)
        if isinstance(output, SummaryOutput):
            entries = EntryCheck(self._evidence, self._promotions, self._checked.add)
            kept["lorebook"] = entries.check(output.lorebook)
        return output.model_copy(update=kept), self._checked

    def _section(self, section: Section, lines: Sequence[str], letter: str) -> list[str]:
        """The lines of a section that stay; a refused new wording gives way to the old one."""
        split = [split_ids(line, letter) for line in lines]
        carried = {_plain(text) for text, _ in split} & self._known
        kept: list[str] = []
        for text, ids in split:
            if _plain(text) in carried:
                if section == "ltm":
                    self._checked.add(SLOT_OF[section], text, (), "carried")
                kept.append(text)
            else:
                left = [old for old in self._old[section] if _plain(old) not in carried]
                kept += self._new_line(section, text, ids, [o for o in left if o not in kept])
        return kept

    def _new_line(
        self, section: Section, text: str, ids: tuple[str, ...], old: Sequence[str]
    ) -> Iterator[str]:
        """The line as it may be stored, the old one it would have replaced, or nothing."""
        claim = _claim(section, text, ids)
        verdict = self._evidence.judge(claim)
        if verdict == "date_unknown":
            text = str(read_bullet(text)._replace(when=UNKNOWN_TIME))
        rise = None if verdict in REFUSED else self._promotions.judge(_asserted(section, text))
        verdict = rise or verdict
        if rise is None and verdict == "supported" and self._is_default(section, text):
            verdict = "default_persona"
        if section == "ltm" or ids or quotes_in(text) or verdict not in _UNREMARKABLE:
            self._checked.add(SLOT_OF[section], text, self._evidence.refs(ids), verdict)
        if verdict not in REFUSED:
            yield text
            return
        older = self._promotions.older_form(text, rise, old) if rise else descent(text, old)
        if older is not None:
            yield older

    def _is_default(self, section: Section, text: str) -> bool:
        return section == "relational" and is_of_persona(text, self._persona)

    def _keep_from_emptying(self, kept: dict[str, object]) -> None:
        """A slot that loses every line to this check keeps what it had."""
        for slot in set(SLOT_OF.values()):
            sections = [section for section in SLOT_OF if SLOT_OF[section] == slot]
            if not any(kept[section] for section in sections):
                kept.update({section: list(self._old[section]) for section in sections})


def bullets_of(slots: Slots) -> dict[Section, list[str]]:
    """The bullets of stored slots by section; the user's slot has two, under their headings."""
    user, _, how = slots.user_relational_persona.partition("### How Soul sees the user")
    return {
        "recent": _bullets(slots.recent_context),
        "ltm": _bullets(slots.long_term_memory),
        "relational": _bullets(slots.soul_relational_persona),
        "profile": _bullets(user),
        "how": _bullets(how),
    }


def _bullets(text: str) -> list[str]:
    return [line[2:] for line in text.splitlines() if line.startswith("- ")]


def _plain(line: str) -> str:
    return " ".join(line.split())


def _asserted(section: Section, text: str) -> str:
    """What a bullet says on its own account: its name too, where that is not quoted in it."""
    if section != "ltm":
        return text
    bullet = read_bullet(text)
    return bullet.body if is_quoted(bullet.name, bullet.body) else f"{bullet.name}. {bullet.body}"


def _claim(section: Section, text: str, ids: tuple[str, ...]) -> Claim:
    """What is judged of a bullet. An episode's title and the time are no words of anybody's."""
    if section != "ltm":
        return Claim(text=text, ids=ids, needs_source=False)
    bullet = read_bullet(text)
    return Claim(text=f"{bullet.name}. {bullet.body}", ids=ids, when=bullet.when)
