"""What a person sees when a reply does not come, and when the connection goes."""

import json

import pytest

from tests.web.browser import Browser
from tests.web.test_story import say, sign_in_and_open

pytestmark = pytest.mark.suite

BLOCKED = {
    "error": {
        "status": "FAILED_PRECONDITION",
        "message": "blocked",
        "details": {"kind": "blocked"},
    }
}


def test_a_blocked_reply_is_told_and_can_be_asked_for_again(browser: Browser) -> None:
    sign_in_and_open(browser, "newcomer", "mara_quill")
    browser.click("role=button[name=English]")
    browser.wait(".memory[data-status=empty]", 60)
    browser.answering("**/generate_reply", f"data: {json.dumps(BLOCKED)}\n\n")
    say(browser, "Is my watch ready?")
    browser.wait(".failure[data-kind=blocked]", 30)
    assert "Your message stays as it is" in browser.texts(".failure")[0]
    assert browser.count(".row.user") == 1
    browser.answering("**/generate_reply", None)
    browser.click(".failure button")
    browser.wait(".row.soul .bubble", 30)
    browser.gone(".failure")
    first = browser.attribute(".row.soul", "data-message")
    browser.click("role=button[name='Get another reply']")
    browser.gone(f"[data-message='{first}']", 30)
    browser.wait(".row.soul .bubble", 30)


def test_what_is_written_without_a_connection_is_sent_when_it_is_back(browser: Browser) -> None:
    sign_in_and_open(browser, "newcomer", "yun_haeon")
    browser.wait(".memory[data-status=empty]", 60)
    browser.offline(True)
    browser.wait(".banner")
    say(browser, "들리세요?")
    browser.wait(".row.user .time >> text=보내는 중")
    browser.offline(False)
    browser.gone(".banner")
    browser.wait(".row.user time", 60)
    browser.wait(".row.soul .bubble", 60)
