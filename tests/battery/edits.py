"""Edits of a v5 document, line by line: what mutations are made of."""

import random
import re
from collections.abc import Callable

Edit = Callable[[list[str], random.Random], list[str]]
HEADINGS = re.compile(r"#{2,3} ")


def pick(lines: list[str], chance: random.Random, fits: Callable[[str], object]) -> int:
    return chance.choice([index for index, line in enumerate(lines) if fits(line)])


def is_heading(line: str) -> object:
    return HEADINGS.match(line)


def is_bullet(line: str) -> bool:
    return line.startswith("- ")


def replaced(lines: list[str], index: int, *new: str) -> list[str]:
    return [*lines[:index], *new, *lines[index + 1 :]]


def memory_of(lines: list[str]) -> list[str]:
    """The lines before the second delimiter, however that is written."""
    return lines[: next(i for i, line in enumerate(lines) if "lorebook" in line.lower())]


def one_line(fits: Callable[[str], object], change: Callable[[str], str]) -> Edit:
    """One line that fits, changed."""

    def edit(lines: list[str], chance: random.Random) -> list[str]:
        index = pick(lines, chance, fits)
        return replaced(lines, index, *change(lines[index]).split("\n"))

    return edit


def memory_line(fits: Callable[[str], object], change: Callable[[str], str]) -> Edit:
    """One line of the four slots that fits, changed."""

    def edit(lines: list[str], chance: random.Random) -> list[str]:
        index = pick(memory_of(lines), chance, fits)
        return replaced(lines, index, *change(lines[index]).split("\n"))

    return edit


def every_line(change: Callable[[str], str]) -> Edit:
    return lambda lines, chance: [part for line in lines for part in change(line).split("\n")]


def whole_text(change: Callable[[str], str]) -> Edit:
    return lambda lines, chance: change("\n".join(lines)).split("\n")


def inserted_line(what: str) -> Edit:
    """A line where none belongs, somewhere after the first delimiter."""

    def edit(lines: list[str], chance: random.Random) -> list[str]:
        index = chance.randrange(1, len(lines))
        return [*lines[:index], what, *lines[index:]]

    return edit


def without_line(fits: Callable[[str], object]) -> Edit:
    def edit(lines: list[str], chance: random.Random) -> list[str]:
        index = pick(lines, chance, fits)
        return [*lines[:index], *lines[index + 1 :]]

    return edit


def swapped_headings(lines: list[str], chance: random.Random) -> list[str]:
    found = [index for index, line in enumerate(memory_of(lines)) if is_heading(line)]
    one, other = chance.sample(found, 2)
    changed = list(lines)
    changed[one], changed[other] = lines[other], lines[one]
    return changed


def cut_in_memory(lines: list[str], chance: random.Random) -> list[str]:
    return lines[: chance.randrange(1, len(memory_of(lines)))]


def emptied(lines: list[str], chance: random.Random) -> list[str]:
    """A slot loses every bullet."""
    heading = chance.choice(("## Recent context", "## Long-term memory(LTM)", "### Relational"))
    start = lines.index(heading) + 1
    end = next(i for i in range(start, len(lines)) if not is_bullet(lines[i]))
    return [*lines[:start], *lines[end:]]


def endless(lines: list[str], chance: random.Random) -> list[str]:
    index = pick(memory_of(lines), chance, is_bullet)
    return [*lines[:index], *[lines[index]] * 300, *lines[index:]]


def character(change: Callable[[str, int, random.Random], str]) -> Edit:
    def edit(lines: list[str], chance: random.Random) -> list[str]:
        text = "\n".join(lines)
        return change(text, chance.randrange(1, len(text)), chance).split("\n")

    return edit


def continued(line: str) -> str:
    first, blank, rest = line[2:].partition(" ")
    return f"- {first}\n  {rest}" if blank else line


def is_field(line: str) -> bool:
    return line.startswith(("- keywords", "- 시점", "- 기록"))


def is_plain_bullet(line: str) -> bool:
    return is_bullet(line) and not line.startswith("- [")


def is_delimiter(line: str) -> bool:
    return line.startswith("===")


def twice(line: str) -> str:
    return f"{line}\n{line}"
