"""A browser on the page, which the suite serves; skipped, and said so, where there is none."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.conftest import SUITE_SETTINGS
from tests.web.browser import NO_CHROMIUM, Browser, find_chromium
from tests.web.line import Line
from tests.web.visiting import looking_at
from tools.emulators import Suite, running_suite
from tools.play_world import play_page, seed_world
from tools.processes import HOST
from tools.suite_config import free_ports


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        pytest.skip(NO_CHROMIUM)
    return found


@pytest.fixture(scope="session")
def ports() -> dict[str, int]:
    return free_ports(with_page=True)


@pytest.fixture(scope="session")
def line(ports: dict[str, int]) -> Iterator[Line]:
    """Between the page and Firestore."""
    line = Line(ports["firestore"])
    yield line
    line.close()


@pytest.fixture(scope="session")
def suite(ports: dict[str, int], line: Line) -> Iterator[Suite]:
    """The whole suite as for the other tests, and the page that it serves."""
    page = play_page()
    hosts = {name: f"{HOST}:{port}" for name, port in ports.items()} | {"firestore": line.address}
    page = replace(page, facts={**page.facts, "hosts": hosts})
    with running_suite(SUITE_SETTINGS, page=page, ports=ports) as running:
        yield running


@pytest.fixture(scope="session")
def address(chromium: str, suite: Suite) -> str:
    """Where the page is, with the demo's world behind it."""
    seed_world(suite)
    return f"http://{suite.hosts['hosting']}"


@pytest.fixture
def browser(chromium: str, address: str) -> Iterator[Browser]:
    with looking_at(address, chromium) as running:
        yield running
