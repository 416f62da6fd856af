"""Emulators for the tests that need them, started once a session."""

from collections.abc import Iterator

import pytest

from tools import storage_rules
from tools.emulators import Suite, running_firestore, running_suite
from tools.storage_emulator import running_storage

SUITE_SETTINGS = {"CYCLE_TRIGGER_TOKENS": "600", "SETTLE_SECONDS": "1"}


@pytest.fixture(scope="session")
def firestore_host() -> Iterator[str]:
    """The Firestore emulator alone, as `host:port`."""
    with running_firestore() as host:
        yield host


@pytest.fixture(scope="session")
def storage_host() -> Iterator[str]:
    """The storage emulator alone, with storage.rules in force, as `host:port`."""
    if storage_rules.find() is None:
        pytest.skip("no storage emulator here: `make setup` says what it needs")
    with running_storage() as host:
        yield host


@pytest.fixture(scope="session")
def suite() -> Iterator[Suite]:
    """The whole emulator suite, with a trigger low enough for short chats."""
    with running_suite(SUITE_SETTINGS) as running:
        yield running
