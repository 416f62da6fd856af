"""The operations guide against firebase-tools, and its figures against the emulator."""

import subprocess

import pytest
from google.cloud import firestore

from tests.bench import costs
from tests.unit.test_operations_guide import invocations
from tools.costs import read_costs
from tools.toolchain import FIREBASE_TOOLS

COMMANDS = [call for call in invocations("firebase") if len(call) > 1]


@pytest.mark.parametrize("name", sorted({call[1] for call in COMMANDS}))
def test_firebase_tools_knows_the_command(name: str) -> None:
    program = FIREBASE_TOOLS / "lib" / "bin" / "firebase.js"
    asked = ["node", str(program), name, "--help"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"Usage: firebase {name} ")
    options = {word for call in COMMANDS if call[1] == name for word in call if word[:2] == "--"}
    assert [one for one in options - {"--project"} if one not in told] == []


@pytest.mark.firestore
def test_the_guides_costs_are_made_of_what_is_measured_today(client: firestore.Client) -> None:
    """`python -m tests.bench.costs > docs/operations/figures.txt`, then `tools.costs --write`."""
    assert read_costs().figures == pytest.approx(costs.measure(), rel=0.02)
