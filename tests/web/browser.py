"""A real browser for a test: Debian's Chromium, driven by Playwright in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tools.app_process import AppProcess
from tools.processes import free_port

SCRIPT = Path(__file__).with_suffix(".mjs")
WAIT_SECONDS = 120.0
"""For anything that is only slow: a page, a function that starts, a machine that is busy."""
NO_CHROMIUM = "no Chromium: apt-get install chromium, or name one by CHROMIUM_PATH"
_MARGIN_SECONDS = 15.0


def find_chromium() -> str | None:
    """CHROMIUM_PATH, or Debian's Chromium, or None where there is neither."""
    for path in (os.environ.get("CHROMIUM_PATH", ""), "/usr/bin/chromium"):
        if path and Path(path).is_file():
            return path
    return None


class Browser:
    """One page in one browser. Selectors are Playwright's; each method waits `seconds` at most.

    Raises AppError where what is waited for does not come.
    """

    def __init__(self, chromium: str) -> None:
        command = ["node", str(SCRIPT), chromium, str(free_port())]
        self._process = AppProcess(command, start_seconds=WAIT_SECONDS)

    def close(self) -> None:
        """End the browser."""
        self._process.close()

    def goto(self, url: str) -> None:
        self._ask("goto", url=url)

    def size(self, width: int, height: int) -> None:
        self._ask("size", width=width, height=height)

    def click(self, selector: str) -> None:
        self._ask("click", selector=selector)

    def fill(self, selector: str, text: str) -> None:
        self._ask("fill", selector=selector, text=text)

    def attach(self, selector: str, file: Path) -> None:
        """Choose a file, as in the dialogue that a file input opens."""
        self._ask("attach", selector=selector, path=str(file))

    def press(self, key: str) -> None:
        self._ask("press", key=key)

    def wait(self, selector: str) -> None:
        """Until it can be seen."""
        self._ask("wait", selector=selector)

    def gone(self, selector: str, seconds: float = WAIT_SECONDS) -> None:
        """Until it is no longer on the page."""
        self._ask("gone", seconds, selector=selector)

    def count(self, selector: str) -> int:
        return int(self._ask("count", selector=selector))

    def texts(self, selector: str) -> list[str]:
        return [str(text) for text in self._ask("texts", selector=selector)]

    def attribute(self, selector: str, name: str) -> str | None:
        found = self._ask("attribute", selector=selector, name=name)
        return str(found) if found is not None else None

    def evaluate(self, script: str) -> Any:
        return self._ask("evaluate", script=script)

    def screenshot(self, path: Path) -> None:
        self._ask("screenshot", path=str(path))

    def accessibility(self) -> tuple[int, list[str]]:
        """Lighthouse's score of the page as it stands, 0 to 100, and what it found wrong."""
        score, *wrong = self._ask("accessibility")
        return int(score), [str(one) for one in wrong]

    def errors(self) -> list[str]:
        """What the page threw and nobody caught."""
        return [str(error) for error in self._ask("errors")]

    def _ask(self, command: str, seconds: float = WAIT_SECONDS, **given: object) -> Any:
        given["timeout"] = seconds * 1000
        wait = seconds + _MARGIN_SECONDS
        return self._process.ask(command, given, seconds=wait, on_progress=None)
