"""The lines of a JSON Lines file, each with its number; errors name the line and never quote it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class ChatFileError(Exception):
    """The file cannot be read as a chat; the text is one sentence that says where and why."""


@dataclass(frozen=True)
class JsonLine:
    """One line's object."""

    number: int
    body: dict[str, Any]

    def text(self, field: str) -> str:
        """A field that must be text. Raises ChatFileError."""
        if field not in self.body:
            raise ChatFileError(f'line {self.number} has no "{field}"')
        value = self.body[field]
        if not isinstance(value, str):
            raise ChatFileError(f'line {self.number}: "{field}" must be text')
        return value


def json_lines(path: Path) -> Iterator[JsonLine]:
    """Read the objects of a file, blank lines left out. Raises ChatFileError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ChatFileError(f"the file cannot be read: {reason}") from error
    # Not by splitlines(): U+2028 and its like may stand inside a JSON text.
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield JsonLine(number, _object(number, line))


def _object(number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ChatFileError(f"line {number} is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise ChatFileError(f"line {number} is not JSON") from error
    if not isinstance(found, dict):
        raise ChatFileError(f"line {number} is not a JSON object")
    return found
