"""How much JavaScript the page sends."""

import gzip

import pytest

from tools.play_world import play_page

pytestmark = pytest.mark.web

MOST_BYTES = 250_000


def test_the_page_sends_little_javascript(chromium: str) -> None:
    scripts = list(play_page().built.rglob("*.js"))
    sent = sum(len(gzip.compress(script.read_bytes())) for script in scripts)
    print(f"JavaScript, gzip: {sent} bytes")
    assert 0 < sent <= MOST_BYTES
