"""Actor by path by operation, against the table in access.yaml."""

from itertools import product

import pytest

from tests.rules.access import ACTORS, CELLS, NOTHING, observe_access
from tests.rules.rest import Emulator

pytestmark = pytest.mark.firestore


@pytest.mark.parametrize(("path", "actor", "allowed"), CELLS)
def test_an_actor_can_do_what_the_table_says_and_nothing_else(
    emulator: Emulator, path: str, actor: str, allowed: str
) -> None:
    assert observe_access(emulator, path, actor) == allowed


def test_every_allow_line_has_let_someone_in_and_kept_someone_out(
    emulator_host: str, rules_source: str
) -> None:
    """A line that the table never exercises could say anything."""
    emulator = Emulator(emulator_host)  # its own project, so that coverage starts at nothing
    emulator.load_rules(rules_source)
    opened = dict.fromkeys(path for path, _, allowed in CELLS if allowed != NOTHING)
    for path, actor in product(opened, ACTORS):
        observe_access(emulator, path, actor)

    lines = rules_source.splitlines()
    allow_lines = {number for number, line in enumerate(lines, 1) if "allow " in line}
    outcomes: dict[int, set[bool]] = {number: set() for number in allow_lines}
    for expression in emulator.rule_coverage():
        number = expression["sourcePosition"]["line"]
        if number in allow_lines:
            values = (entry["value"] for entry in expression.get("values", []))
            outcomes[number] |= {value["boolValue"] for value in values if "boolValue" in value}
    one_sided = [lines[number - 1].strip() for number in allow_lines if len(outcomes[number]) < 2]
    assert one_sided == []
