"""The examples in the core's docstrings hold."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"
MODULES = [
    ".".join(("shared", *path.relative_to(SHARED).with_suffix("").parts))
    for path in sorted(SHARED.rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name: str) -> None:
    outcome = doctest.testmod(import_module(name))
    assert outcome.attempted
    assert not outcome.failed
