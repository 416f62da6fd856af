"""The matrix is whole, and every row of it has been seen to fail."""

import pytest

from tests.rules.conftest import RULES
from tests.safety.rules import MIN_ROWS, seen_to_fail
from tests.safety.rules_mutants import loosened
from tests.safety.rules_rows import probes

SOURCE = RULES.read_text(encoding="utf-8")


def rows() -> set[str]:
    return {row for probe in probes() for row in probe.expected}


def test_there_are_enough_rows() -> None:
    assert len(rows()) >= MIN_ROWS


def test_every_condition_is_loosened_in_turn() -> None:
    mutants = dict(loosened(SOURCE))
    assert len(mutants) >= SOURCE.count("allow ")
    assert all(mutant != SOURCE for mutant in mutants.values())


@pytest.mark.firestore
def test_every_row_fails_when_everything_is_open_or_nothing_is(firestore_host: str) -> None:
    assert rows() - seen_to_fail(firestore_host, SOURCE, probes()) == set()
