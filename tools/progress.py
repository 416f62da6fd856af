"""A line that shows how far something is: redrawn on a terminal, now and then a new line elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

BAR_CELLS = 24
QUIET_SECONDS = 5.0


class Progress:
    """One task of `total` steps. Use it in a `with`; it ends its line."""

    def __init__(
        self,
        label: str,
        total: int,
        *,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label = label
        self._total = total
        self._stream = stream or sys.stdout
        self._clock = clock
        self._redraws = self._stream.isatty()
        self._shown_at = clock()
        self._shown = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._redraws and self._shown:
            self._stream.write("\n")
            self._stream.flush()

    def show(self, done: int, detail: str = "") -> None:
        """Show that `done` steps are done, and a few words on how it stands."""
        if self._redraws:
            self._redraw(f"{self._label} {bar(done, self._total)} {done}/{self._total} {detail}")
            return
        now = self._clock()
        line = f"{self._label}: {done}/{self._total} {detail}".rstrip()
        is_end = done >= self._total and self._shown == ""
        if line != self._shown and (now - self._shown_at >= QUIET_SECONDS or is_end):
            self._stream.write(f"{line}\n")
            self._stream.flush()
            self._shown, self._shown_at = line, now

    def _redraw(self, line: str) -> None:
        cut = line[: max(shutil.get_terminal_size().columns - 1, 20)]
        if cut != self._shown:
            self._stream.write(f"\r\x1b[K{cut}")
            self._stream.flush()
            self._shown = cut


def bar(done: int, total: int) -> str:
    """A bar of fixed width, full at `total`."""
    share = min(max(done / total, 0.0), 1.0) if total else 1.0
    full = int(share * BAR_CELLS)
    return f"[{'█' * full}{'·' * (BAR_CELLS - full)}]"
