"""How much JavaScript the page sends."""

from tests.web.visiting import MOST_JAVASCRIPT_BYTES, javascript_bytes
from tools.web_page import build_page


def test_the_page_sends_little_javascript() -> None:
    sent = javascript_bytes(build_page())
    print(f"JavaScript, gzip: {sent} bytes")
    assert 0 < sent <= MOST_JAVASCRIPT_BYTES
