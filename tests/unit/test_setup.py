"""The pieces of set-up and of the emulators' start that need no installation to be tried."""

import json
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import processes, setup, storage_rules, toolchain
from tools.emulators import EmulatorError, running_suite
from tools.processes import NotReadyError, Program
from tools.suite_config import (
    EMULATORS,
    Page,
    dotenv,
    emulator_ports,
    free_ports,
    lay_page,
    read_config,
    write_config,
)


def test_a_changed_requirement_makes_set_up_run_again(tmp_path: Path) -> None:
    source, stamp = tmp_path / "requirements.txt", tmp_path / "stamp"
    source.write_text("pydantic==2.14.4\n")
    stamp.write_text(setup.fingerprint([source], tmp_path))
    assert setup.is_current(stamp, setup.fingerprint([source], tmp_path))
    source.write_text("pydantic==2.14.5\n")
    assert not setup.is_current(stamp, setup.fingerprint([source], tmp_path))


def test_a_moved_folder_makes_set_up_run_again(tmp_path: Path) -> None:
    source = tmp_path / "requirements.txt"
    source.write_text("pydantic==2.14.4\n")
    here, there = tmp_path / "here", tmp_path / "there"
    assert setup.fingerprint([source], here) != setup.fingerprint([source], there)


def test_a_missing_stamp_is_not_current(tmp_path: Path) -> None:
    assert not setup.is_current(tmp_path / "stamp", "anything")


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup.main(["everything"]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("printed", "major"), [("v20.20.2", 20), ("v8.1.0", 8), ("", None), ("20.1.0", None)]
)
def test_node_version(printed: str, major: int | None) -> None:
    assert setup.node_major(printed) == major


@pytest.mark.parametrize(
    ("printed", "major"),
    [
        ('openjdk version "21.0.2" 2024-01-16', 21),
        ('java version "1.8.0_292"', 1),
        ('openjdk version "25" 2025-09-16', 25),
        ("Unable to locate a Java Runtime.", 0),
    ],
)
def test_java_version(printed: str, major: int) -> None:
    assert toolchain.java_major(printed) == major


def test_no_line_of_a_manifest_is_too_long(tmp_path: Path) -> None:
    emulator = tmp_path / ("a long folder name " * 8) / "emulator.jar"
    launcher = toolchain.write_launcher(tmp_path / "launcher.jar", emulator)
    with zipfile.ZipFile(launcher) as jar:
        lines = jar.read("META-INF/MANIFEST.MF").decode().split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 72
    unfolded = "\n".join(lines).replace("\n ", "").splitlines()
    assert f"Class-Path: {emulator.as_uri()}" in unfolded
    assert f"Main-Class: {toolchain.EMULATOR_CLASS}" in unfolded


def test_every_emulator_has_a_port_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_rules, "find", lambda: storage_rules.MADE)
    ports = emulator_ports()
    assert set(ports) == set(EMULATORS)
    assert len(set(ports.values())) == len(EMULATORS)


def test_the_suite_runs_without_storage_where_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_rules, "find", lambda: None)
    assert set(EMULATORS) - set(emulator_ports()) == {"storage"}


def test_functions_keep_their_prompts_when_deployed() -> None:
    ignored = read_config()["functions"][0]["ignore"]
    travelling = ["functions", "shared", "prompts", "main.py", "requirements.txt", "chat.v6.md"]
    assert not [
        (pattern, name) for pattern in ignored for name in travelling if Path(name).match(pattern)
    ]


def test_the_suite_finds_the_source_from_its_temporary_folder(tmp_path: Path) -> None:
    config = json.loads(write_config(tmp_path, {}, emulator_ports()).read_text(encoding="utf-8"))
    source = tmp_path / config["functions"][0]["source"]
    assert source.resolve() == toolchain.ROOT
    assert Path(config["firestore"]["rules"]) == toolchain.ROOT / "firestore.rules"
    assert Path(config["storage"]["rules"]) == toolchain.ROOT / "storage.rules"


def test_rules_and_tools_are_not_deployed_as_functions() -> None:
    ignored = read_config()["functions"][0]["ignore"]
    assert {"firestore.rules", "storage.rules", "tools", "tests"} <= set(ignored)


def test_the_page_is_served_by_the_suite_and_deployed_by_nobody(tmp_path: Path) -> None:
    assert "hosting" not in read_config()
    ports = free_ports(with_page=True)
    config = json.loads(write_config(tmp_path, {}, ports).read_text(encoding="utf-8"))
    assert config["hosting"] == {"public": "page"}
    assert config["emulators"]["hosting"]["port"] == ports["hosting"]
    assert f'127.0.0.1:{ports["functions"]}"' in (tmp_path / ".env").read_text(encoding="utf-8")


def test_a_page_is_told_where_its_suite_is(tmp_path: Path) -> None:
    built, chat = tmp_path / "dist", tmp_path / "chat.jsonl"
    built.mkdir()
    for file in (built / "index.html", built / ".made-from", chat):
        file.write_text("", encoding="utf-8")
    lay_page(tmp_path, Page(built, {"users": ["나"]}, (chat,)), {"region": "somewhere"})
    page = tmp_path / "page"
    assert {path.name for path in page.iterdir()} == {"index.html", "chat.jsonl", "suite.json"}
    told = json.loads((page / "suite.json").read_text(encoding="utf-8"))
    assert told == {"region": "somewhere", "users": ["나"]}


def test_a_setting_is_written_on_one_line() -> None:
    assert dotenv({"SOUL": 'a "b"\n\\c', "나": ""}) == 'SOUL="a \\"b\\"\\n\\\\c"\n나=""\n'


def test_a_taken_port_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as server:
        server.bind((processes.HOST, 0))
        server.listen()
        ports = {"auth": server.getsockname()[1]}
        monkeypatch.setattr("tools.emulators.emulator_ports", lambda **_: ports)
        with pytest.raises(EmulatorError, match=rf"port {ports['auth']} \(auth\)"):
            running_suite().__enter__()


def test_a_program_that_ends_early_is_not_ready(tmp_path: Path) -> None:
    program = start("print('the reason'); raise SystemExit(3)", tmp_path)
    with pytest.raises(NotReadyError, match="code 3"):
        program.wait_until(lambda: False, seconds=30)
    program.stop(seconds=1)
    assert processes.tail(program.log, 5) == "the reason"


def test_a_program_that_hangs_is_not_ready(tmp_path: Path) -> None:
    program = start("input_never_comes = __import__('threading').Event().wait()", tmp_path)
    with pytest.raises(NotReadyError, match="not ready"):
        program.wait_until(lambda: False, seconds=0.2)
    program.stop(seconds=5)
    assert program.has_ended


def test_stopping_a_program_stops_children_that_left_its_group(tmp_path: Path) -> None:
    port = processes.free_port()
    server = [sys.executable, "-m", "http.server", str(port), "--bind", processes.HOST]
    program = start(
        "import subprocess, threading;"
        f"subprocess.Popen({server!r}, start_new_session=True);"
        "threading.Event().wait()",
        tmp_path,
    )
    program.wait_until(lambda: processes.is_answering(port), seconds=30)
    program.stop(seconds=5)
    assert program.has_ended
    assert not processes.is_answering(port)


def start(script: str, folder: Path) -> Program:
    command = [sys.executable, "-c", script]
    return Program(command, folder=folder, log=folder / "log", env={})


def test_output_of_a_program_that_is_missing_or_fails_is_none() -> None:
    assert toolchain.output_of("no-such-program") is None
    assert toolchain.output_of(sys.executable, "-c", "raise SystemExit(1)") is None
    assert toolchain.output_of(sys.executable, "-c", "print('한국어')") == "한국어"


def test_following_a_log_hands_on_what_is_there(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("하나\n둘\n", encoding="utf-8")
    lines: list[str] = []
    processes.follow(log, lines.append, until=lambda: len(lines) == 2)
    assert lines == ["하나\n", "둘\n"]


def test_the_commands_of_the_makefile_explain_themselves() -> None:
    command = ["make", "--no-print-directory", "-C", str(toolchain.ROOT)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for target in ("demo", "test", "check", "unit", "bench", "safety", "replay", "emulators"):
        assert f"make {target}" in listing
