"""The emulator for what of the battery runs under pytest."""

from collections.abc import Iterator

import pytest

from tests.battery.lost_calls import firestore_watched


@pytest.fixture(scope="session")
def watched_firestore(firestore_host: str) -> Iterator[str]:
    """Firestore, with every request open to faults."""
    with pytest.MonkeyPatch.context() as patch, firestore_watched():
        patch.setenv("FIRESTORE_EMULATOR_HOST", firestore_host)
        yield firestore_host
