"""What the playground page sends, and how accessible it is."""

import sys

from tests.web.browser import NO_CHROMIUM, find_chromium
from tests.web.visiting import (
    javascript_bytes,
    least_accessible,
    looking_at,
    say,
    sign_in_and_open,
)
from tools.emulators import Suite
from tools.play_world import seed_world
from tools.suite_config import Page


def size(page: Page) -> dict[str, float]:
    """All its JavaScript, compressed, in thousands of bytes."""
    return {"page_js_kb": javascript_bytes(page.built) / 1000}


def accessibility(suite: Suite) -> dict[str, float]:
    """Of a chat with a message and an answer in it; without a browser no figure at all."""
    chromium = find_chromium()
    if chromium is None:
        print(f"page_accessibility is not measured: {NO_CHROMIUM}", file=sys.stderr)
        return {}
    seed_world(suite)
    with looking_at(f"http://{suite.hosts['hosting']}", chromium) as browser:
        sign_in_and_open(browser, "sambun", "yun_haeon")
        browser.wait(".memory[data-status=ready]")
        say(browser, "소장님, 저 왔어요")
        browser.wait(".row.soul .bubble")
        score, _ = least_accessible(browser)
    return {"page_accessibility": float(score)}
