"""The Firebase emulators, for tests, the demo and a developer (`python -m tools.emulators`).

`running_suite()` runs the whole product; `running_firestore()` runs the database alone, which
starts in a second or two. Both stop all that they started.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tools import processes, toolchain
from tools.processes import HOST, NotReadyError, Program
from tools.suite_config import Page, emulator_ports, lay_page, suite_env, write_config
from tools.toolchain import FIREBASE_TOOLS, SetupError

PROJECT_ID = "demo-soul-memory"
REGION = "asia-northeast3"
SHORT_IDLE = Path(__file__).with_name("short_idle.cjs")

_SUITE_SECONDS = 180.0
_FIRESTORE_SECONDS = 60.0
_STOP_SECONDS = 20.0
_READY = "All emulators ready"
_FUNCTIONS_LOADED = "Loaded functions definitions from source"
_FUNCTIONS_FAILED = "Failed to load function definition"
# What a client of the suite needs in its environment; the functions get theirs by themselves.
_CLIENT_VARIABLES = {
    "auth": "FIREBASE_AUTH_EMULATOR_HOST",
    "firestore": "FIRESTORE_EMULATOR_HOST",
    "tasks": "CLOUD_TASKS_EMULATOR_HOST",
    "storage": "FIREBASE_STORAGE_EMULATOR_HOST",
}


class EmulatorError(Exception):
    """The emulators cannot run; its text says why, and what to do."""


@dataclass(frozen=True)
class Suite:
    """A running suite. `hosts` maps an emulator's name to its `host:port`."""

    project_id: str
    region: str
    hosts: Mapping[str, str]
    program: Program

    @property
    def log_path(self) -> Path:
        """Where the log is: the emulators' lines and all that the functions print."""
        return self.program.log

    def function_url(self, name: str) -> str:
        """Give the address of an HTTP or callable function."""
        return f"http://{self.hosts['functions']}/{self.project_id}/{self.region}/{name}"

    def client_env(self) -> dict[str, str]:
        """Give the variables that lead Google's and Firebase's clients to this suite."""
        variables = {
            name: _CLIENT_VARIABLES[name] for name in self.hosts.keys() & _CLIENT_VARIABLES
        }
        hosts = {variable: self.hosts[name] for name, variable in variables.items()}
        return {**hosts, "GCLOUD_PROJECT": self.project_id, "GOOGLE_CLOUD_PROJECT": self.project_id}

    def log(self) -> str:
        """Read the log so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace")


@contextmanager
def running_suite(
    env: Mapping[str, str] | None = None,
    *,
    page: Page | None = None,
    ports: Mapping[str, int] | None = None,
) -> Iterator[Suite]:
    """Run the whole suite; `env` reaches the functions as environment variables.

    They inherit this process's environment too; `env` wins, the emulators' own hosts win over both.
    With a `page`, the Hosting emulator serves it. Raises EmulatorError where a port is taken or
    the functions do not load.
    """
    ports = ports or emulator_ports(with_page=page is not None)
    tools = _toolchain()
    _refuse_taken_ports(ports)
    hosts = {name: f"{HOST}:{port}" for name, port in ports.items()}
    with processes.terminate_like_interrupt(), _temporary_folder() as folder:
        if page is not None:
            lay_page(folder, page, {"project_id": PROJECT_ID, "region": REGION, "hosts": hosts})
        command = ["node", "--require", str(SHORT_IDLE)]
        command += [str(FIREBASE_TOOLS / "lib" / "bin" / "firebase.js")]
        command += ["emulators:start", "--project", PROJECT_ID, "--only", ",".join(ports)]
        command += ["--config", str(write_config(folder, env or {}, ports))]
        log = folder / "suite.log"
        program = Program(command, folder=folder, log=log, env=suite_env(folder, tools))
        try:
            _wait(program, lambda: _suite_is_ready(log, ports), "firebase-tools", _SUITE_SECONDS)
            yield Suite(project_id=PROJECT_ID, region=REGION, hosts=hosts, program=program)
        finally:
            program.stop(seconds=_STOP_SECONDS)


@contextmanager
def running_firestore(rules: Path | None = None) -> Iterator[str]:
    """Run the Firestore emulator alone on a free port; gives its `host:port`.

    Without `rules` everything is allowed to everyone; with them, they hold in PROJECT_ID.
    Raises EmulatorError, also for rules that do not compile.
    """
    tools = _toolchain()
    port = processes.free_port()
    with processes.terminate_like_interrupt(), _temporary_folder() as folder:
        command = [tools.java, "-Duser.language=en", "-jar", tools.firestore_jar]
        command += ["--host", HOST, "--port", str(port)]
        program = Program(command, folder=folder, log=folder / "firestore.log", env=os.environ)
        try:
            _wait(program, lambda: processes.is_answering(port), "Firestore", _FIRESTORE_SECONDS)
            host = f"{HOST}:{port}"
            if rules is not None:
                _load_rules(host, rules)
            yield host
        finally:
            program.stop(seconds=_STOP_SECONDS)


def _load_rules(host: str, rules: Path) -> None:
    # The emulator's own --rules option says nothing about rules that do not compile.
    file = {"name": rules.name, "content": rules.read_text(encoding="utf-8")}
    request = Request(
        f"http://{host}/emulator/v1/projects/{PROJECT_ID}:securityRules",
        data=json.dumps({"rules": {"files": [file]}}).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    try:
        with urlopen(request, timeout=_STOP_SECONDS):
            pass
    except HTTPError as error:
        reason = error.read().decode(errors="replace")
        raise EmulatorError(f"{rules.name} does not compile: {reason}") from error


def _refuse_taken_ports(ports: Mapping[str, int]) -> None:
    taken = [f"{port} ({name})" for name, port in ports.items() if not processes.is_port_free(port)]
    if taken:
        names = ", ".join(taken)
        raise EmulatorError(
            f"something listens on port {names} already: stop it (another emulator suite?) first."
        )


def _suite_is_ready(log: Path, ports: Mapping[str, int]) -> bool:
    text = log.read_text(encoding="utf-8", errors="replace")
    if _FUNCTIONS_FAILED in text:
        raise NotReadyError("could not load the functions")
    is_loaded = _READY in text and _FUNCTIONS_LOADED in text
    return is_loaded and all(map(processes.is_answering, ports.values()))


def _wait(program: Program, is_ready: processes.Check, what: str, seconds: float) -> None:
    try:
        program.wait_until(is_ready, seconds=seconds)
    except NotReadyError as error:
        end = processes.tail(program.log, 30)
        raise EmulatorError(f"{what} {error}. The end of the log:\n{end}") from error


def _toolchain() -> toolchain.Toolchain:
    try:
        return toolchain.load()
    except SetupError as error:
        raise EmulatorError(str(error)) from error


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="soul-memory-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


def main() -> int:
    """Run the suite and show its log until Ctrl-C."""
    print("Starting the emulators (about half a minute) …", flush=True)
    try:
        with running_suite() as suite:
            program = suite.program
            processes.follow(program.log, sys.stdout.write, until=lambda: program.has_ended)
        print("emulators: firebase-tools ended by itself.", file=sys.stderr)
        return 1
    except EmulatorError as error:
        print(f"emulators: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
