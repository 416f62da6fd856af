"""What a person sees when the server is out of reach, whatever the network is."""

import pytest

from tests.web.browser import Browser
from tests.web.line import Line
from tests.web.visiting import say, sign_in_and_open

pytestmark = pytest.mark.web


def test_what_is_written_without_a_connection_is_sent_when_it_is_back(
    browser: Browser, line: Line
) -> None:
    sign_in_and_open(browser, "newcomer", "yun_haeon")
    browser.wait(".memory[data-status=empty]")
    assert browser.count(".banner") == 0
    line.cut()
    browser.wait(".banner >> text=연결이 끊겼습니다")
    say(browser, "들리세요?")
    browser.wait(".row.user .time >> text=보내는 중")
    line.mend()
    browser.gone(".banner")  # the SDK tries once a minute at the least
    browser.wait(".row.user time")
    browser.wait(".row.soul .bubble")
