"""The storage emulator with storage.rules in force, and a bucket for each test."""

from pathlib import Path

import pytest

from tests.storage_rules.rest import Storage


@pytest.fixture(scope="session")
def rules_source() -> str:
    return (Path(__file__).parents[2] / "storage.rules").read_text(encoding="utf-8")


@pytest.fixture
def storage(storage_host: str) -> Storage:
    return Storage(storage_host)
