"""How far something is: a line redrawn on a terminal, a new line now and then elsewhere."""

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
        self._latest = ""
        self._shown = ""
        self._shown_at = clock()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._redraws:
            self._write("\n")
        elif self._latest != self._shown:
            self._write(f"{self._latest}\n")

    def show(self, done: int, detail: str = "") -> None:
        """Show that `done` steps are done, and a few words on how it stands."""
        if self._redraws:
            line = f"{self._label} {bar(done, self._total)} {done}/{self._total} {detail}"
            cut = line[: max(shutil.get_terminal_size().columns - 1, 20)]
            self._write(f"\r\x1b[K{cut}")
            return
        self._latest = f"{self._label}: {done}/{self._total} {detail}".rstrip()
        if self._latest != self._shown and self._clock() - self._shown_at >= QUIET_SECONDS:
            self._write(f"{self._latest}\n")
            self._shown, self._shown_at = self._latest, self._clock()

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def bar(done: int, total: int) -> str:
    """A bar of fixed width, full at `total`."""
    share = min(max(done / total, 0.0), 1.0) if total else 1.0
    full = int(share * BAR_CELLS)
    return f"[{'█' * full}{'·' * (BAR_CELLS - full)}]"
