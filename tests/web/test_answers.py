"""What a person sees when the model refuses, and while a reply comes.

Of the page's tests these run first: their suite has ended before that of the others begins.
"""

from collections.abc import Iterator

import pytest

from tests.conftest import SUITE_SETTINGS
from tests.gemini_server import Answer, GeminiServer, answer_body, streamed_answer
from tests.web.browser import Browser
from tests.web.visiting import looking_at, say, sign_in_and_open
from tools.emulators import running_suite
from tools.play_world import play_page, seed_world
from tools.suite_config import free_ports

pytestmark = pytest.mark.web

REFUSED = streamed_answer({"promptFeedback": {"blockReason": "SAFETY"}})
FIRST = streamed_answer(answer_body([{"text": "Nearly.\nThe spring is in."}]))
SLOW = Answer(
    body=streamed_answer(
        answer_body([{"text": "Not yet.\n"}], finish=None),
        answer_body([{"text": "Come on Thursday."}]),
    ).body,
    headers={"Content-Type": "text/event-stream"},
    drip_seconds=0.04,
)


@pytest.fixture
def with_a_model(chromium: str) -> Iterator[Browser]:
    """The page on a suite whose model, over HTTP, refuses, then answers, then answers slowly."""
    with GeminiServer([REFUSED, FIRST, SLOW]) as server:
        settings = {
            **SUITE_SETTINGS,
            "GEMINI_API_KEY": "AIza-not-a-real-key",
            "GOOGLE_GEMINI_BASE_URL": server.url,
        }
        ports = free_ports(with_page=True)
        with running_suite(settings, page=play_page(), ports=ports) as suite:
            seed_world(suite)
            with looking_at(f"http://{suite.hosts['hosting']}", chromium) as browser:
                yield browser


def test_a_refused_reply_is_told_and_asked_for_again(with_a_model: Browser) -> None:
    browser = with_a_model
    sign_in_and_open(browser, "newcomer", "mara_quill")
    browser.click("role=button[name=English]")
    browser.wait(".memory[data-status=empty]")
    say(browser, "Is my watch ready?")
    browser.wait(".failure[data-kind=blocked]")
    assert "Your message stays as it is" in browser.texts(".failure")[0]
    assert browser.count(".row.user") == 1

    browser.click(".failure button")
    browser.wait(".row.soul >> text=The spring is in.")
    browser.gone(".failure")

    browser.click("role=button[name='Get another reply']")
    browser.wait(".typing")
    browser.wait(".row.soul:not([data-message]) >> text=Not yet.")
    browser.wait(".row.soul[data-message] >> text=Come on Thursday.")
    browser.gone(".typing")
    browser.gone(".row.soul >> text=The spring is in.")
    assert browser.count(".row.soul") == 2
