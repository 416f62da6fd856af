"""A smaller cut of every scenario; `make battery` runs them whole."""

import pytest

from tests.battery.runner import Job, Size, run
from tests.battery.scenarios import SCENARIOS

SEED = 7


@pytest.mark.firestore
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(watched_firestore: str, name: str) -> None:
    tally = run(Job(name, SCENARIOS[name], SEED, Size(full=False))).tally
    assert tally.runs > 0
    assert tally.failures == []
