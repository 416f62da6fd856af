"""The storage emulator alone, on a free port, for the tests of storage.rules."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import processes, storage_rules, toolchain
from tools.emulators import PROJECT_ID, EmulatorError
from tools.processes import HOST, NotReadyError, Program
from tools.suite_config import suite_env
from tools.toolchain import FIREBASE_TOOLS, ROOT

_SECONDS = 90.0
_STOP_SECONDS = 20.0


@contextmanager
def running_storage() -> Iterator[str]:
    """Run it with storage.rules in force; gives its `host:port`.

    Raises EmulatorError where it does not start, and where the machine lacks what it needs.
    """
    if storage_rules.find() is None:
        raise EmulatorError("the storage emulator is not prepared: run `make setup` online.")
    port = processes.free_port()
    with processes.terminate_like_interrupt(), tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        command = ["node", str(FIREBASE_TOOLS / "lib" / "bin" / "firebase.js")]
        command += ["emulators:start", "--project", PROJECT_ID, "--only", "storage"]
        command += ["--config", str(_write_config(folder, port))]
        log = folder / "storage.log"
        env = suite_env(folder, toolchain.load())
        program = Program(command, folder=folder, log=log, env=env)
        try:
            program.wait_until(lambda: _is_ready(log, port), seconds=_SECONDS)
            yield f"{HOST}:{port}"
        except NotReadyError as error:
            end = processes.tail(log, 30)
            raise EmulatorError(f"storage {error}. The end of the log:\n{end}") from error
        finally:
            program.stop(seconds=_STOP_SECONDS)


def _write_config(folder: Path, port: int) -> Path:
    written = folder / "firebase.json"
    config = {
        "storage": {"rules": str(ROOT / "storage.rules")},
        "emulators": {"storage": {"host": HOST, "port": port}, "ui": {"enabled": False}},
    }
    written.write_text(json.dumps(config), encoding="utf-8")
    return written


def _is_ready(log: Path, port: int) -> bool:
    is_started = "All emulators ready" in log.read_text(encoding="utf-8", errors="replace")
    return is_started and processes.is_answering(port)
