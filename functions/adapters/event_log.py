"""The `EventLog` port: one JSON object a line on standard output, as Cloud Logging reads it."""

import json
import sys
from typing import TextIO

from shared.events import Event


class JsonEventLog:
    """Writes each event as one line; `severity` and `message` are Cloud Logging's own fields."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout

    def emit(self, event: Event) -> None:
        fields = event.model_dump(mode="json", exclude_none=True)
        self.write("INFO", fields["event"], **fields)

    def warn(self, message: str, **fields: object) -> None:
        """A line for operators: names of documents, fields and settings, never a user's text."""
        self.write("WARNING", message, **fields)

    def write(self, severity: str, message: str, **fields: object) -> None:
        line = {"severity": severity, "message": message, **fields}
        self._stream.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._stream.flush()
