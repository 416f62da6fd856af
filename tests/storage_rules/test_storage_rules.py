"""users/{uid}/images/{name}: what goes in, who sees it, and that every row can fail."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.safety.rules_mutants import loosened, shut
from tests.storage_rules.cases import (
    CELLS,
    FILES,
    differences,
    is_let_in,
    observe_access,
    rows,
)
from tests.storage_rules.rest import Storage

pytestmark = pytest.mark.storage

OPEN = """rules_version = '2';
service firebase.storage { match /b/{b}/o { match /{all=**} { allow read, write: if true; } } }"""


@pytest.fixture
def changeable(storage: Storage, rules_source: str) -> Iterator[Storage]:
    """The emulator, whose rules are put back afterwards."""
    yield storage
    storage.load_rules(rules_source)


@pytest.mark.parametrize(("path", "actor", "allowed"), CELLS)
def test_an_actor_can_do_what_the_table_says_and_nothing_else(
    storage: Storage, path: str, actor: str, allowed: str
) -> None:
    assert observe_access(storage, path, actor) == allowed


@pytest.mark.parametrize(("file", "accepted"), FILES.values(), ids=FILES)
def test_only_an_image_of_bounded_size_goes_in(
    storage: Storage, file: dict[str, Any], accepted: bool
) -> None:
    assert is_let_in(storage, file) == accepted


def test_every_row_fails_when_everything_is_open_or_nothing_is(
    changeable: Storage, rules_source: str
) -> None:
    changeable.load_rules(OPEN)
    seen = set(differences(changeable))
    changeable.load_rules(shut(rules_source))
    seen |= set(differences(changeable))
    assert rows() - seen == set()


def test_every_condition_that_is_loosened_is_noticed(
    changeable: Storage, rules_source: str
) -> None:
    unnoticed = []
    for name, mutant in loosened(rules_source):
        changeable.load_rules(mutant)
        if next(differences(changeable), None) is None:
            unnoticed.append(name)
    assert unnoticed == []
