"""The model's output, read strictly (PRD §8-B, §8-C).

Only these repairs are made, since none of them guesses: an outer code fence, a byte order
mark or CRLF, text before the first delimiter, case and spacing of headings. Anything else is
a `ModelOutputError`, and the caller keeps what it had.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from pydantic import Field

from shared.errors import ModelOutputError
from shared.model.base import Frozen
from shared.model.slots import Slots

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

_MEMORY = re.compile(r"===\s*MEMORY\s*===", re.IGNORECASE)
_LOREBOOK = re.compile(r"===\s*LOREBOOK\s*===", re.IGNORECASE)
_FENCE = re.compile(r"(`{3,}|~{3,})[\w-]*")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s*(\S.*)")
_LTM_BULLET = re.compile(r"\[(Episode|Messenger) / \S.* / \S.* / \S.*\] \S.*")
_FIELD = re.compile(r"(?:- )?(keywords|시점|기록)\s*:\s*(.*)", re.IGNORECASE)


class LorebookOutput(Frozen):
    """One event as the model wrote it."""

    title: str
    keywords: list[str]
    when: str
    record: str


class MemoryOutput(Frozen):
    """The bullets of the slots, without their dashes. A v4 document has no `recent`."""

    recent: list[str] = Field(default_factory=list)
    ltm: list[str]
    relational: list[str]
    profile: list[str]
    how: list[str]

    def as_slots(self) -> Slots:
        """The slots' canonical markdown, as it is stored and put into the prompt."""
        user = [("### Profile", self.profile), ("### How Soul sees the user", self.how)]
        return Slots(
            recent_context=_bullets(self.recent),
            long_term_memory=_bullets(self.ltm),
            soul_relational_persona=_bullets(self.relational),
            user_relational_persona="\n".join(
                f"{heading}\n{_bullets(lines)}" for heading, lines in user if lines
            ),
        )


class SummaryOutput(MemoryOutput):
    """What a v5 call wrote: four slots and the events of this round."""

    lorebook: list[LorebookOutput]


def parse_summary(output: str) -> SummaryOutput:
    """Read a v5 document: `=== MEMORY ===` with four slots, then `=== LOREBOOK ===`.

    Raises ModelOutputError, which names the rule that was broken and never the text.
    Source: PRD §8-C.
    """
    lines = _body_lines(output, is_start=lambda line: bool(_MEMORY.fullmatch(line.strip())))
    memory, lorebook = _split_at(lines, _LOREBOOK)
    sections = _read_sections(memory, _V5_HEADINGS)
    if not sections[RECENT]:
        raise ModelOutputError("Recent context is empty")
    return SummaryOutput(**_slots_of(sections), lorebook=_read_lorebook(lorebook))


def parse_first_memory(output: str) -> MemoryOutput:
    """Read a v4 document: three slots, never Recent context, never Default.

    Raises ModelOutputError. Source: PRD §8-B.
    """
    lines = _body_lines(output, is_start=lambda line: _heading_of(line) is not None)
    return MemoryOutput(**_slots_of(_read_sections(lines, _V4_HEADINGS)))


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


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


def _body_lines(output: str, *, is_start: Callable[[str], bool]) -> list[str]:
    """The lines from the first delimiter on, the outer fence and any preamble gone."""
    text = unicodedata.normalize("NFC", output.removeprefix("\ufeff"))
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    first = next((i for i, line in enumerate(lines) if is_start(line)), None)
    if first is None:
        raise ModelOutputError("the first delimiter is missing")
    preamble, body = lines[:first], lines[first:]
    if any(_mentions_delimiter(line) for line in preamble):
        raise ModelOutputError("a delimiter stands where none belongs")
    fences = [line.strip() for line in preamble if _FENCE.fullmatch(line.strip())]
    while body and not body[-1]:
        body.pop()
    if fences:
        if len(fences) > 1 or body[-1].strip() != re.sub(r"[\w-]", "", fences[0]):
            raise ModelOutputError("the code fence around the document does not close")
        body.pop()
    return body


def _mentions_delimiter(line: str) -> bool:
    return bool(_MEMORY.search(line) or _LOREBOOK.search(line))


def _split_at(lines: list[str], delimiter: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """The lines between the two delimiters and those after the second, each of them once."""
    marks = [i for i, line in enumerate(lines) if _mentions_delimiter(line)]
    if len(marks) < 2:
        raise ModelOutputError("the LOREBOOK delimiter is missing")
    if len(marks) > 2 or not delimiter.fullmatch(lines[marks[1]].strip()):
        raise ModelOutputError("a delimiter stands where none belongs")
    return lines[1 : marks[1]], lines[marks[1] + 1 :]


def _read_sections(lines: list[str], headings: Sequence[str]) -> dict[str, list[str]]:
    """Exactly `headings`, once each and in this order, with the bullets under each."""
    sections: dict[str, list[str]] = {}
    for line in lines:
        if not line.strip():
            continue
        heading = _heading_of(line)
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


def _heading_of(line: str) -> str | None:
    """The heading in canonical case and spacing, or None for another line."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    words = " ".join(match[2].lower().split())
    return f"{match[1]} {words}".replace(" (", "(")


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


def _read_lorebook(lines: list[str]) -> list[LorebookOutput]:
    return [_read_entry(title, body) for title, body in _entries(lines)]


def _entries(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    title: str | None = None
    body: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        match = _HEADING.fullmatch(line)
        if match is None:
            body.append(line)
            continue
        if match[1] != "###":
            raise ModelOutputError("a lorebook title has the wrong heading level")
        if title is not None:
            yield title, body
        elif body:
            raise ModelOutputError("text stands before the first lorebook entry")
        title, body = match[2].strip(), []
    if title is not None:
        yield title, body
    elif body:
        raise ModelOutputError("the lorebook holds something that is no entry")


def _read_entry(title: str, lines: list[str]) -> LorebookOutput:
    fields: dict[str, str] = {}
    for line in lines:
        match = _FIELD.fullmatch(line.strip()) if not line.startswith("  ") else None
        if match is not None and match[1].lower() not in fields:
            fields[match[1].lower()] = match[2].strip()
        elif match is None and line.startswith("  ") and next(reversed(fields), "") == "기록":
            fields["기록"] = f"{fields['기록']} {line.strip()}".strip()
        else:
            raise ModelOutputError("a lorebook entry has a line that is no field of it")
    keywords = [word.strip() for word in fields.get("keywords", "").split(",") if word.strip()]
    if not keywords or not fields.get("시점") or not fields.get("기록"):
        raise ModelOutputError("a lorebook entry lacks keywords, time or record")
    return LorebookOutput(
        title=title, keywords=keywords, when=fields["시점"], record=fields["기록"]
    )


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
        if _LOREBOOK.search(line):
            return "lorebook"
        slot = _SLOT_OF_HEADING.get(_heading_of(line) or "", slot)
    return slot
