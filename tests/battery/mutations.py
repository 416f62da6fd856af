"""Good outputs made worse: some in ways that can be repaired, some beyond, some by chance."""

import random
import unicodedata
from dataclasses import dataclass
from typing import Literal

from tests.battery.edits import (
    Edit,
    character,
    continued,
    cut_in_memory,
    emptied,
    endless,
    every_line,
    inserted_line,
    is_bullet,
    is_delimiter,
    is_field,
    is_heading,
    is_plain_bullet,
    memory_line,
    memory_of,
    one_line,
    swapped_headings,
    twice,
    whole_text,
    without_line,
)

Kind = Literal["repairable", "broken", "chance"]
KINDS: tuple[Kind, ...] = ("repairable", "repairable", "broken", "broken", "chance")


@dataclass(frozen=True)
class Mutated:
    """An output with what was done to it, and the document that it was made from."""

    text: str
    base: str
    kind: Kind
    why: str

    @property
    def meant(self) -> str:
        """The document that may be stored of it."""
        return self.base if self.kind == "repairable" else self.text


_REPAIRABLE: dict[str, Edit] = {
    "heading in capitals": memory_line(is_heading, str.upper),
    "heading in lower case": memory_line(is_heading, str.lower),
    "heading with blanks": memory_line(is_heading, lambda line: line.replace(" ", "   ") + " "),
    "heading without a blank": memory_line(is_heading, lambda line: line.replace("# ", "#", 1)),
    "delimiter in lower case": one_line(is_delimiter, str.lower),
    "delimiter without blanks": one_line(is_delimiter, lambda line: line.replace(" ", "")),
    "blank lines": every_line(lambda line: line + "\n"),
    "blanks at the end": every_line(lambda line: line + " "),
    "no dashes before fields": every_line(lambda line: line[2:] if is_field(line) else line),
    "label in capitals": every_line(lambda line: line.replace("- keywords", "- Keywords")),
    "a bullet in two lines": memory_line(is_bullet, continued),
    "fence": lambda lines, chance: ["```markdown", *lines, "```"],
    "bare fence": lambda lines, chance: ["```", *lines, "```", ""],
    "preamble": lambda lines, chance: ["갱신한 문서입니다.", "", *lines],
    "decomposed": whole_text(lambda text: unicodedata.normalize("NFD", text)),
    "CRLF": whole_text(lambda text: text.replace("\n", "\r\n")),
    "byte order mark": lambda lines, chance: ["\ufeff" + lines[0], *lines[1:]],
}
_BROKEN: dict[str, Edit] = {
    "heading missing": lambda lines, chance: [
        *without_line(is_heading)(memory_of(lines), chance),
        *lines[len(memory_of(lines)) :],
    ],
    "heading twice": memory_line(is_heading, twice),
    "headings swapped": swapped_headings,
    "heading of another level": memory_line(is_heading, lambda line: "#" + line),
    "heading misnamed": memory_line(is_heading, lambda line: line + " 요약"),
    "foreign heading": inserted_line("## Notes"),
    "delimiter missing": without_line(is_delimiter),
    "delimiter twice": one_line(lambda line: line.startswith("==="), twice),
    "delimiter in a bullet": memory_line(is_bullet, lambda line: line + " === LOREBOOK ==="),
    "prose": inserted_line("이 부분은 그대로 두었습니다."),
    "another bullet sign": memory_line(is_bullet, lambda line: "*" + line[1:]),
    "a bullet below": memory_line(is_plain_bullet, lambda line: f"{line}\n  - 또 있다."),
    "brackets gone": one_line(lambda line: line.startswith("- ["), lambda line: "- 그날 만났다."),
    "brackets open": one_line(
        lambda line: line.startswith("- ["), lambda line: line.replace("]", "", 1)
    ),
    "cut in the memory": cut_in_memory,
    "field missing": without_line(is_field),
    "field twice": one_line(is_field, twice),
    "field unknown": one_line(lambda line: line.startswith("- 시점"), lambda line: "- mood: 좋음"),
    "importance beyond its scale": one_line(
        lambda line: line.startswith("- 시점"), lambda line: f"{line}\n- importance: 7"
    ),
    "a kind that is none": one_line(
        lambda line: line.startswith("- 시점"), lambda line: f"{line}\n- kind: dream"
    ),
    "slot emptied": emptied,
    "slot without end": endless,
    "farewell": lambda lines, chance: [*lines, "", "필요하면 더 정리하겠습니다."],
    "fence open": lambda lines, chance: ["```markdown", *lines],
    "fence copied": memory_line(is_plain_bullet, lambda line: line + " </data chat 7f3a>"),
}
_CHANCE: dict[str, Edit] = {
    "a character gone": character(lambda text, at, chance: text[:at] + text[at + 1 :]),
    "a character more": character(
        lambda text, at, chance: text[:at] + chance.choice("#-=`|[] \n가") + text[at:]
    ),
    "cut anywhere": character(lambda text, at, chance: text[:at]),
    "a line gone": without_line(bool),
    "a line moved": lambda lines, chance: inserted_line(lines[-1])(lines[:-1], chance),
    "a line twice": one_line(bool, twice),
}
# In the order in which they are laid on one another: what goes around a document comes last.
EDITS: dict[Kind, dict[str, Edit]] = {
    "repairable": _REPAIRABLE,
    "broken": _BROKEN,
    "chance": _CHANCE,
}


def mutated(base: str, chance: random.Random) -> Mutated:
    """One mutation beyond repair, or one by chance, or up to three that can be repaired."""
    kind = chance.choice(KINDS)
    names = chance.sample(list(EDITS[kind]), chance.randint(1, 3) if kind == "repairable" else 1)
    if "fence" in names and "bare fence" in names:
        names.remove("bare fence")
    names.sort(key=list(EDITS[kind]).index)
    lines = base.rstrip("\n").split("\n")
    for name in names:
        lines = EDITS[kind][name](lines, chance)
    return Mutated("\n".join(lines) + "\n", base, kind, f"{kind}: {', '.join(names)}")
