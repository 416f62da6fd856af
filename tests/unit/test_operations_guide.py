"""The operations guide says what is so: its commands, its files, its figures."""

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.cloud.logging_v2.types import LogMetric
from google.cloud.monitoring_v3.types import AlertPolicy

from shared.events import Event
from shared.settings import Settings
from tools import costs
from tools.toolchain import ROOT, VENV

FOLDER = ROOT / "docs" / "operations"
GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
SCRIPT = FOLDER / "monitoring.sh"
BLOCKS = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
METRICS = sorted((FOLDER / "metrics").glob("*.json"))
ALERTS = sorted((FOLDER / "alerts").glob("*.json"))
USER_METRIC = "logging.googleapis.com/user/"
# What the functions write beside the events.
LINES = ("unforeseen", "not_done", "sweep")


def invocations(program: str) -> Iterator[list[str]]:
    """Every call of the program in the guide and the script, in words; redirections left out."""
    inline = re.findall(rf"`({program} [^`]+)`", GUIDE)
    for text in (*BLOCKS, *inline, SCRIPT.read_text("utf-8")):
        joined = text.replace("\\\n", " ")
        for line in re.sub(r"\$\((.*?)\)$", r"\n\1\n", joined, flags=re.MULTILINE).splitlines():
            if found := re.search(rf"(?:^|[ (/]){program} .*", line.split("#", 1)[0]):
                call = found[0][found[0].index(program) :]
                words = shlex.split(re.split(r" [|&>;]|; |[0-9]>", call)[0])
                yield [word for word in words if word != ">/dev/null"]


@pytest.fixture(scope="module")
def cloud_sdk() -> dict[str, Any]:
    """Every command and flag of the installed gcloud, as its own completion knows them."""
    program = shutil.which("gcloud")
    tree = program and Path(program).resolve().parents[1] / "data/cli/gcloud_completions.py"
    if not tree or not tree.is_file():
        pytest.skip("the Google Cloud SDK is not installed")
    spec = importlib.util.spec_from_file_location("gcloud_completions", tree)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, Any] = module.STATIC_COMPLETION_CLI_TREE
    return found


def problem_of(words: list[str], tree: dict[str, Any]) -> str:
    """What gcloud would not understand; empty when nothing is."""
    node, rest = tree, words[1:]
    while rest and rest[0] in node["commands"]:
        node, rest = node["commands"][rest[0]], rest[1:]
    if node["commands"]:
        return f"no command: {' '.join(words)}"
    known = {*node["flags"], *tree["flags"]}
    for word in rest:
        flag = word.partition("=")[0]
        if flag.startswith("--") and flag not in known and flag.replace("--no-", "--") not in known:
            return f"no flag {flag}: {' '.join(words)}"
    return ""


def test_gcloud_understands_every_command(cloud_sdk: dict[str, Any]) -> None:
    calls = list(invocations("gcloud"))
    assert len(calls) > 25
    assert [told for call in calls if (told := problem_of(call, cloud_sdk))] == []


def test_gcloud_would_not_understand_others(cloud_sdk: dict[str, Any]) -> None:
    wrong = ["gcloud firestore databases restor --x", "gcloud firestore databases list --sorted"]
    assert all(problem_of(shlex.split(one), cloud_sdk) for one in wrong)


def test_make_has_every_target_that_is_named() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", GUIDE, re.MULTILINE))
    assert len(named) > 5
    assert named <= targets


def test_every_setting_that_is_named_exists() -> None:
    named = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)+)(?==|`)", GUIDE))
    others = {
        "GEMINI_API_KEY",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "MODEL_SECRETS",
        "SERVICE_ACCOUNT",
        "SOUL_MEMORY_REGION",
    }
    assert len(named) > 8
    assert {name.lower() for name in named - others} <= set(Settings.model_fields)


@pytest.mark.parametrize("text", [*BLOCKS, SCRIPT.read_text("utf-8")])
def test_the_shell_linter_has_nothing_to_say(text: str) -> None:
    # The guide's blocks share their variables.
    lint = [str(VENV / "bin" / "shellcheck"), "--shell=bash", "--exclude=SC2154,SC2034", "-"]
    done = subprocess.run(lint, input=text, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


class TestMonitoring:
    @pytest.mark.parametrize("file", METRICS, ids=lambda file: file.stem)
    def test_a_metric_fits_googles_schema(self, file: Path) -> None:
        metric = LogMetric.from_json(file.read_text("utf-8"))
        labels = {label.key for label in metric.metric_descriptor.labels}
        assert labels == set(metric.label_extractors)
        kind = json.loads(file.read_text("utf-8"))["metricDescriptor"]["valueType"]
        assert (kind == "DISTRIBUTION") == bool(metric.value_extractor)
        assert f"`{file.stem}`" in GUIDE or f"`…{file.stem.removeprefix('soul_memory')}`" in GUIDE

    @pytest.mark.parametrize("file", ALERTS, ids=lambda file: file.stem)
    def test_an_alert_fits_googles_schema_and_leads_into_the_guide(self, file: Path) -> None:
        alert = AlertPolicy.from_json(file.read_text("utf-8"))
        (condition,) = alert.conditions
        filters = condition.condition_threshold.filter or condition.condition_absent.filter
        (kind,) = re.findall(r'metric\.type="([^"]+)"', filters)
        if kind.startswith(USER_METRIC):
            assert kind.removeprefix(USER_METRIC) in {metric.stem for metric in METRICS}
        (section,) = re.findall(r"\*([^*]+)\*", alert.documentation.content)
        assert f"**{section}**" in GUIDE

    def test_another_field_would_not_fit(self) -> None:
        with pytest.raises(Exception, match="filtr"):
            LogMetric.from_json('{"filtr": "x"}')

    def test_every_event_and_every_line_is_counted(self) -> None:
        filters = "".join(json.loads(file.read_text("utf-8"))["filter"] for file in METRICS)
        events = {one.model_fields["event"].default for one in Event.__subclasses__()}
        assert len(events) == 5
        assert {name for name in events if f'jsonPayload.event="{name}"' not in filters} == set()
        assert {line for line in LINES if f'jsonPayload.message="{line}"' not in filters} == set()

    def test_every_field_that_is_read_is_written(self) -> None:
        text = "".join(file.read_text("utf-8") for file in METRICS)
        fields = set(re.findall(r"jsonPayload\.([a-z_]+)", text)) - {"event", "message"}
        known = {name for one in Event.__subclasses__() for name in one.model_fields}
        known |= {"error", "work", "messages_counted", "failed", "probes"}
        assert fields <= known


GCLOUD = """#!/bin/sh
echo "$@" >> "$CALLS"
case "$*" in
  *"metrics describe soul_memory_seeds"*) exit 0 ;;
  *"metrics describe"*) exit 1 ;;
  *"policies list"*"the sweep has not run"*) echo projects/p/alertPolicies/7 ;;
esac
"""


class TestTheScript:
    @pytest.fixture
    def calls(self, tmp_path: Path) -> list[str]:
        """What it asks of a gcloud to which one metric and one alert are known."""
        (tmp_path / "gcloud").write_text(GCLOUD)
        (tmp_path / "gcloud").chmod(0o755)
        log = tmp_path / "calls"
        env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CALLS": str(log)}
        subprocess.run([SCRIPT, "p", "c/1", "c/2"], env=env, check=True, cwd=tmp_path)
        return log.read_text().splitlines()

    def test_makes_what_is_not_there(self, calls: list[str]) -> None:
        made = [call for call in calls if call.startswith("logging metrics create")]
        assert [call.split()[3] for call in made] == [
            file.stem for file in METRICS if file.stem != "soul_memory_seeds"
        ]
        alerts = [call for call in calls if "policies create" in call]
        assert len(alerts) == len(ALERTS) - 1
        assert all("--notification-channels=c/1,c/2" in call for call in alerts)

    def test_brings_up_to_date_what_is(self, calls: list[str]) -> None:
        assert [call.split()[3] for call in calls if "metrics update" in call] == [
            "soul_memory_seeds"
        ]
        (update,) = [call for call in calls if "policies update" in call]
        assert "projects/p/alertPolicies/7" in update
        assert "alerts/sweep_missing.json" in update

    def test_says_how_it_is_called(self) -> None:
        done = subprocess.run([SCRIPT, "p"], capture_output=True, text=True, check=False)
        assert (done.returncode, "usage:" in done.stderr) == (2, True)


def test_the_costs_are_those_that_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m tools.costs --write` mends it."""
    assert costs.main([]) == 0
    assert costs.written(GUIDE, capsys.readouterr().out.rstrip("\n")) == GUIDE
