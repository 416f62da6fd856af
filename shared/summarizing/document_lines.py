"""The lines of a model's output, with the repairs that guess nothing."""

import re
import unicodedata
from collections.abc import Callable

from shared.errors import ModelOutputError

MEMORY = re.compile(r"===\s*MEMORY\s*===", re.IGNORECASE)
LOREBOOK = re.compile(r"===\s*LOREBOOK\s*===", re.IGNORECASE)
HEADING = re.compile(r"\s{0,3}(#{1,6})\s*(\S.*)")
_FENCE = re.compile(r"(`{3,}|~{3,})[\w-]*")


def body_lines(output: str, *, is_start: Callable[[str], bool]) -> list[str]:
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
    return bool(MEMORY.search(line) or LOREBOOK.search(line))


def split_at(lines: list[str], delimiter: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """The lines between the two delimiters and those after the second, each of them once."""
    marks = [i for i, line in enumerate(lines) if _mentions_delimiter(line)]
    if len(marks) < 2:
        raise ModelOutputError("the LOREBOOK delimiter is missing")
    if len(marks) > 2 or not delimiter.fullmatch(lines[marks[1]].strip()):
        raise ModelOutputError("a delimiter stands where none belongs")
    return lines[1 : marks[1]], lines[marks[1] + 1 :]


def heading_of(line: str) -> str | None:
    """The heading in canonical case and spacing, or None for another line."""
    match = HEADING.fullmatch(line)
    if match is None:
        return None
    words = " ".join(match[2].lower().split())
    return f"{match[1]} {words}".replace(" (", "(")
