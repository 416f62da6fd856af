"""The tool without a database: whose project, and what is no markup."""

import pytest
from rich.console import Console
from typer.testing import CliRunner

from shared.history.slot_diffs import history_of
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from tests.factories import NOW
from tools.memory.app import app
from tools.memory.connection import NotDoneError, project_of
from tools.memory.tables import history

LTM = '- [Episode / "강변 레이스" / (시간 불명) / 완주] [red]소희[/red]가 [link=x]기다렸다.'


def test_a_project_must_be_named() -> None:
    assert project_of("mine", {"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}) == "mine"
    assert project_of("", {"FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}) == "demo-soul-memory"
    with pytest.raises(NotDoneError, match="--project") as raised:
        project_of("", {})
    assert raised.value.code == 2


def test_a_shell_that_leads_nowhere_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRESTORE_EMULATOR_HOST", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    said = CliRunner().invoke(app, ["show", "u1", "sohee"])
    assert said.exit_code == 2
    assert said.stderr.startswith("memory: no project: pass --project")


def test_what_was_written_is_shown_as_it_is() -> None:
    cycle = Cycle(
        cycle_id="000001",
        kind="summary",
        status="applied",
        requested_at=NOW,
        applied_at=NOW,
        before=Slots(),
        after=Slots(long_term_memory=LTM),
    )
    console = Console(width=200, record=True, file=None, quiet=False)
    with console.capture() as shown:
        for part in history(history_of([cycle]), whole=True):
            console.print(part)
    assert f"+ {LTM}" in shown.get()
