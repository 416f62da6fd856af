"""The whole story in a real browser: a Soul is met, remembers, recalls, and is edited."""

import os
from pathlib import Path

import pytest

from tests.web.browser import Browser
from tests.web.visiting import (
    LEAST_ACCESSIBILITY,
    NARROW,
    WIDE,
    least_accessible,
    say,
    sign_in_and_open,
)

pytestmark = pytest.mark.web

REPLAY_SECONDS = 600.0
LINE = "- 창가 화분에 물을 주고 나서야 첫 답장을 한다."
PICTURES = os.environ.get("PICTURES")
"""A folder that the pictures of the README go to."""


def test_a_soul_is_met_and_remembers(browser: Browser) -> None:
    sign_in_and_open(browser, "sambun", "yun_haeon")
    browser.wait(".memory[data-status=ready]")
    browser.wait("[data-slot=long_term_memory] ins")

    say(browser, "소장님, 저 왔어요")
    browser.wait(".row.soul .bubble")
    assert browser.count(".day") == 1

    replay_and_see_a_cycle(browser)
    a_keyword_recalls_an_entry(browser)
    the_directors_edit_arrives(browser)
    every_view_is_accessible(browser)
    a_narrow_page_has_two_sides(browser)


def replay_and_see_a_cycle(browser: Browser) -> None:
    browser.click(".replay")
    browser.click("#tab-cycles")
    browser.wait(".timeline [data-cycle='000002'][data-status=applied]")
    assert browser.count(".replaying") == 1  # seen while the chat goes on
    browser.gone(".replaying", REPLAY_SECONDS)
    browser.click(".earlier")
    browser.wait(".row >> nth=100")
    facts = browser.texts(".timeline [data-cycle='000002'] .facts")[0]
    assert "extractive-stand-in" in facts
    assert "메시지" in facts


def a_keyword_recalls_an_entry(browser: Browser) -> None:
    say(browser, "앤더스 감독님은 요즘 어떠세요?")
    browser.click("#tab-recall")
    browser.wait(".turn >> text=앤더스 감독님은 요즘 어떠세요?")
    browser.click("#tab-lorebook")
    called = "article:has(.tag.on):has(.tag:text-matches('앤더스|감독'))"
    browser.wait(called)
    entry = browser.attribute(called, "data-entry")
    browser.click("#tab-recall")
    considered = f".considered [data-entry='{entry}'][data-outcome=chosen]"
    browser.wait(considered)
    assert "키워드" in browser.texts(considered)[0]
    browser.wait(".row.soul >> nth=-1 >> .bubble")


def the_directors_edit_arrives(browser: Browser) -> None:
    browser.click("#tab-director")
    persona = browser.evaluate("document.getElementById('persona').value")
    browser.fill("#persona", f"{persona}\n{LINE}")
    browser.fill("#status", "화분에 물 주는 중")
    browser.click(".director .main")
    browser.wait(".arrival >> text=들어갔습니다")
    browser.wait(".who >> text=화분에 물 주는 중")
    browser.click("#tab-prompt")
    browser.wait(f"[data-group=A] mark >> text={LINE}")
    assert browser.count(".bar i") == 3


def every_view_is_accessible(browser: Browser) -> None:
    browser.click("#tab-slots")
    picture(browser, "play")
    score, wrong = least_accessible(browser)
    print(f"Lighthouse accessibility: {score} {wrong}")
    assert score >= LEAST_ACCESSIBILITY, wrong


def a_narrow_page_has_two_sides(browser: Browser) -> None:
    browser.size(*NARROW)
    nothing_sticks_out(browser)
    picture(browser, "play-narrow")
    browser.click(".sides button >> nth=1")
    browser.press("Tab")
    assert browser.evaluate("document.activeElement.getAttribute('role')") == "tab"
    browser.press("ArrowRight")
    browser.wait(".body[data-tab=lorebook]")
    nothing_sticks_out(browser)
    picture(browser, "play-narrow-memory")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    browser.wait(".body[data-tab=recall]")
    picture(browser, "play-narrow-recall")
    browser.size(*WIDE)


def nothing_sticks_out(browser: Browser) -> None:
    assert browser.evaluate("document.documentElement.scrollWidth") <= NARROW[0]


def picture(browser: Browser, name: str) -> None:
    if PICTURES:
        browser.screenshot(Path(PICTURES) / f"{name}.png")
