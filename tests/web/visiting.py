"""What a visitor does on the page, and what is measured there: for its tests and `make bench`."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.browser import Browser

WIDE, NARROW = (1440, 900), (390, 844)
MOST_JAVASCRIPT_BYTES = 250_000
LEAST_ACCESSIBILITY = 95


@contextmanager
def looking_at(address: str, chromium: str) -> Iterator[Browser]:
    """A fresh browser on the page; nothing may be thrown in it and caught by nobody."""
    running = Browser(chromium)
    try:
        running.goto(address)
        yield running
        assert running.errors() == []
    finally:
        running.close()


def sign_in_and_open(browser: Browser, uid: str, soul_id: str) -> None:
    browser.click(f"[data-user={uid}]")
    browser.click(f"[data-soul={soul_id}]")
    browser.click(".closed button")


def say(browser: Browser, text: str) -> None:
    browser.fill("#message", text)
    browser.press("Enter")
    browser.wait(f".row.user >> text={text}")


def least_accessible(browser: Browser) -> tuple[int, list[str]]:
    """Lighthouse's lowest score of an open chat, 0 to 100, and what it found wrong there.

    It looks at the page when wide, and when narrow at either of its sides.
    """
    browser.size(*WIDE)
    found = [browser.accessibility()]
    browser.size(*NARROW)
    for side in (1, 0):
        browser.click(f".sides button >> nth={side}")
        found.append(browser.accessibility())
    browser.size(*WIDE)
    return min(found)


def javascript_bytes(built: Path) -> int:
    """How much JavaScript the page sends, compressed as a server compresses it."""
    scripts = built.rglob("*.js")
    return sum(len(gzip.compress(script.read_bytes())) for script in scripts)
