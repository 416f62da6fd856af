"""The storage emulator with storage.rules in force, and a bucket for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage_rules.rest import Storage
from tools import storage_rules
from tools.storage_emulator import running_storage


@pytest.fixture(scope="session")
def rules_source() -> str:
    return (Path(__file__).parents[2] / "storage.rules").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def storage_host() -> Iterator[str]:
    if storage_rules.find() is None:
        pytest.skip("no storage emulator here: `make setup` says what it needs")
    with running_storage() as host:
        yield host


@pytest.fixture
def storage(storage_host: str) -> Storage:
    return Storage(storage_host)
