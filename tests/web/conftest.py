"""A browser on the page, which the suite serves; skipped, and said so, where there is none."""

from collections.abc import Iterator

import pytest

from tests.conftest import SUITE_SETTINGS
from tests.web.browser import Browser, find_chromium
from tools.emulators import Suite, running_suite
from tools.play_world import play_page, seed_world
from tools.suite_config import free_ports

NO_BROWSER = "no Chromium at /usr/bin/chromium or CHROMIUM_PATH: the page is not tested"


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        pytest.skip(NO_BROWSER)
    return found


@pytest.fixture(scope="session")
def suite() -> Iterator[Suite]:
    """The whole suite as for the other tests, and the page that it serves."""
    ports = free_ports(with_page=True)
    with running_suite(SUITE_SETTINGS, page=play_page(), ports=ports) as running:
        yield running


@pytest.fixture(scope="session")
def address(chromium: str, suite: Suite) -> str:
    """Where the page is, with the demo's world behind it."""
    seed_world(suite)
    return f"http://{suite.hosts['hosting']}"


@pytest.fixture
def browser(chromium: str, address: str) -> Iterator[Browser]:
    """A fresh browser that has opened the page."""
    yield from looking_at(address, chromium)


def looking_at(address: str, chromium: str) -> Iterator[Browser]:
    """A browser on the page; nothing may be thrown in it and caught by nobody."""
    running = Browser(chromium)
    try:
        running.goto(address)
        yield running
        assert running.errors() == []
    finally:
        running.close()
