"""A program that answers JSON lines with JSON lines, and a caller that never hangs on it."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

CALL_SECONDS = 30.0
_STOP_SECONDS = 5.0

OnProgress = Callable[[Any], object]


class AppError(Exception):
    """The app's SDK refused. `code` is its own, without the product: `permission-denied`."""

    def __init__(self, code: str, message: str, details: Any = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.details = details


class AppClientError(Exception):
    """The app's process did not start, did not answer in time, or has ended."""


class AppProcess:
    """One running program; commands go to it one at a time."""

    def __init__(self, command: Sequence[str], *, start_seconds: float = CALL_SECONDS) -> None:
        """Start it and wait for its first line. Raises AppClientError."""
        self._lines: Queue[str | None] = Queue()
        self._last_id = 0
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                encoding="utf-8",
            )
        except OSError as error:
            self._errors.close()
            raise AppClientError(f"the app's process did not start: {error}") from error
        self._reader = Thread(target=_read_lines, args=(self._process.stdout, self._lines))
        self._reader.daemon = True
        self._reader.start()
        try:
            self._answer(0, start_seconds, None)
        except BaseException:
            self.close()
            raise

    def ask(
        self,
        command: str,
        given: dict[str, object],
        *,
        seconds: float,
        on_progress: OnProgress | None,
    ) -> Any:
        """Send a command and give its answer; each line of it may take `seconds`.

        Raises AppError where the SDK refuses, AppClientError where the process does not answer.
        """
        self._last_id += 1
        self._send(json.dumps({"id": self._last_id, "command": command, **given}))
        return self._answer(self._last_id, seconds, on_progress)

    def close(self) -> None:
        """End the process, gently first. Safe to repeat."""
        if self._process.stdin is not None:
            with suppress(OSError):  # it may have ended already
                self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_STOP_SECONDS)
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def _send(self, line: str) -> None:
        stdin = self._process.stdin
        if stdin is None or stdin.closed:
            raise AppClientError("the app's process is closed")
        try:
            stdin.write(f"{line}\n")
            stdin.flush()
        except OSError as error:
            raise AppClientError(f"the app's process has ended{self._last_words()}") from error

    def _answer(self, request_id: int, seconds: float, on_progress: OnProgress | None) -> Any:
        while True:
            answer = self._next_line(seconds)
            if answer.get("id") != request_id:
                continue  # of a call that was given up
            if "error" in answer:
                error = answer["error"]
                raise AppError(error["code"], error["message"], error.get("details"))
            if "progress" not in answer:
                return answer["ok"]
            if on_progress is not None:
                on_progress(answer["progress"])

    def _next_line(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise AppClientError(f"the app did not answer within {seconds:.0f} s") from None
        if line is None:
            self._lines.put(None)  # for the next one who asks
            raise AppClientError(f"the app's process has ended{self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._errors.seek(0)
        words = self._errors.read().strip().splitlines()[-5:]
        return ": " + " / ".join(words) if words else ""


def _read_lines(source: IO[str] | None, lines: Queue[str | None]) -> None:
    """Hand on what the process prints, and None at its end."""
    for line in source or ():
        lines.put(line)
    lines.put(None)
