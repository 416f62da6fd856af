"""The model's output, read strictly (PRD §8-B, §8-C).

Only these repairs are made, since none of them guesses: an outer code fence, a byte order
mark or CRLF, text before the first delimiter, case and spacing of headings. Anything else is
a `ModelOutputError`, and the caller keeps what it had.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from shared.errors import ModelOutputError
from shared.model.base import Frozen
from shared.model.slots import Slots
from shared.summarizing.document_lines import LOREBOOK, MEMORY, body_lines, heading_of, split_at
from shared.summarizing.lorebook_document import LorebookOutput, read_lorebook
from shared.summarizing.source_ids import split_ids

RECENT = "## recent context"
LTM = "## long-term memory(ltm)"
SOUL_PERSONA = "## soul persona"
RELATIONAL = "### relational"
USER_PERSONA = "## user persona"
PROFILE = "### profile"
HOW = "### how soul sees the user"

_V5_HEADINGS = (RECENT, LTM, SOUL_PERSONA, RELATIONAL, USER_PERSONA, PROFILE, HOW)
_V4_HEADINGS = _V5_HEADINGS[1:]
_NO_BULLETS = frozenset({SOUL_PERSONA, USER_PERSONA})

_LTM_BULLET = re.compile(r"\[(Episode|Messenger) / \S.* / \S.* / \S.*\] \S.*")


class MemoryOutput(Frozen):
    """The bullets of the slots, without their dashes. A v4 document has no `recent`.

    A bullet may end with the ids of its sources, which are of the kind `source_letter`.
    """

    source_letter: ClassVar[str] = "s"

    recent: list[str] = Field(default_factory=list)
    ltm: list[str]
    relational: list[str]
    profile: list[str]
    how: list[str]

    def as_slots(self) -> Slots:
        """The slots' canonical markdown, as it is stored and put into the prompt: without ids."""
        user = [("### Profile", self.profile), ("### How Soul sees the user", self.how)]
        return Slots(
            recent_context=self._bullets(self.recent),
            long_term_memory=self._bullets(self.ltm),
            soul_relational_persona=self._bullets(self.relational),
            user_relational_persona="\n".join(
                f"{heading}\n{self._bullets(lines)}" for heading, lines in user if lines
            ),
        )

    def _bullets(self, lines: Sequence[str]) -> str:
        return "\n".join(f"- {split_ids(line, self.source_letter)[0]}" for line in lines)


class SummaryOutput(MemoryOutput):
    """What a v5 call wrote: four slots and the events of this round."""

    source_letter: ClassVar[str] = "m"

    lorebook: list[LorebookOutput]


def parse_summary(output: str) -> SummaryOutput:
    """Read a v5 document: `=== MEMORY ===` with four slots, then `=== LOREBOOK ===`.

    Raises ModelOutputError, which names the rule that was broken and never the text.
    Source: PRD §8-C.
    """
    lines = body_lines(output, is_start=lambda line: bool(MEMORY.fullmatch(line.strip())))
    memory, lorebook = split_at(lines, LOREBOOK)
    sections = _read_sections(memory, _V5_HEADINGS)
    if not sections[RECENT]:
        raise ModelOutputError("Recent context is empty")
    return SummaryOutput(**_slots_of(sections), lorebook=read_lorebook(lorebook))


def parse_first_memory(output: str) -> MemoryOutput:
    """Read a v4 document: three slots, never Recent context, never Default.

    Raises ModelOutputError. Source: PRD §8-B.
    """
    lines = body_lines(output, is_start=lambda line: heading_of(line) is not None)
    return MemoryOutput(**_slots_of(_read_sections(lines, _V4_HEADINGS)))


def _slots_of(sections: dict[str, list[str]]) -> dict[str, list[str]]:
    for bullet in sections[LTM]:
        if not _LTM_BULLET.fullmatch(bullet):
            raise ModelOutputError("a long-term memory bullet lacks [source / title / time / name]")
    return {
        "recent": sections.get(RECENT, []),
        "ltm": sections[LTM],
        "relational": sections[RELATIONAL],
        "profile": sections[PROFILE],
        "how": sections[HOW],
    }


def _read_sections(lines: list[str], headings: Sequence[str]) -> dict[str, list[str]]:
    """Exactly `headings`, once each and in this order, with the bullets under each."""
    sections: dict[str, list[str]] = {}
    for line in lines:
        if not line.strip():
            continue
        heading = heading_of(line)
        if heading is not None:
            expected = headings[len(sections)] if len(sections) < len(headings) else "no more"
            if heading != expected:
                raise ModelOutputError(f"heading {len(sections) + 1} is not the one expected")
            sections[heading] = []
        else:
            _add_bullet(sections, line)
    if len(sections) != len(headings):
        raise ModelOutputError("a heading is missing")
    return sections


def _add_bullet(sections: dict[str, list[str]], line: str) -> None:
    current = next(reversed(sections), None)
    if current is None or current in _NO_BULLETS:
        raise ModelOutputError("text stands outside the headings")
    if line.startswith("- ") and line[2:].strip():
        sections[current].append(line[2:].strip())
    elif line.startswith("  ") and not line.lstrip().startswith("- ") and sections[current]:
        sections[current][-1] += " " + line.strip()
    else:
        raise ModelOutputError("a line is neither a heading nor a bullet")


_SLOT_OF_HEADING = {
    RECENT: "recent_context",
    LTM: "long_term_memory",
    RELATIONAL: "soul_relational_persona",
    PROFILE: "user_relational_persona",
    HOW: "user_relational_persona",
}


def slot_at(output: str, offset: int) -> str:
    """Which slot the character at `offset` of an output belongs to: `lorebook`, or a slot's name.

    Text that stands under no heading is `output`.
    """
    slot = "output"
    for line in output[:offset].splitlines():
        if LOREBOOK.search(line):
            return "lorebook"
        slot = _SLOT_OF_HEADING.get(heading_of(line) or "", slot)
    return slot
