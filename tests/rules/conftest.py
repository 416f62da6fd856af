"""An emulator with firestore.rules in force, and a fresh user for each test."""

import os
from pathlib import Path
from uuid import uuid4

import pytest

from tests.rules.rest import Emulator, Owner

RULES = Path(__file__).parents[2] / "firestore.rules"


@pytest.fixture(scope="session")
def rules_source() -> str:
    return RULES.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def emulator_host(request: pytest.FixtureRequest) -> str:
    """The emulator that is running already, or else one that is started for the session."""
    running = os.environ.get("FIRESTORE_EMULATOR_HOST")
    return running or str(request.getfixturevalue("firestore_host"))


@pytest.fixture(scope="session")
def emulator(emulator_host: str, rules_source: str) -> Emulator:
    emulator = Emulator(emulator_host)
    emulator.load_rules(rules_source)
    return emulator


@pytest.fixture
def owner(emulator: Emulator) -> Owner:
    uid = uuid4().hex
    return Owner(emulator.user(uid), uid, f"users/{uid}")
