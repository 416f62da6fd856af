"""The build server's script: a browser where one can be had, and the tests in any case."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.toolchain import ROOT


def run(folder: Path, *, chromium: bool, apt_get: str, uid: int = 0) -> list[str]:
    """What the script started, in order, with these programs in place of the real ones."""
    started, browser = folder / "started", folder / "chromium"
    programs = {
        "id": f"echo {uid}",
        "timeout": 'shift; exec "$@"',
        "apt-get": f"echo apt-get $1 >>{started}\n{apt_get}",
        "make": f"echo make $1 >>{started}",
    }
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    if chromium:
        browser.touch()
    env = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "CHROMIUM_PATH": str(browser)}
    done = subprocess.run([ROOT / ".ci" / "run"], env=env, capture_output=True, check=True)
    assert (b"are skipped" in done.stderr) == (apt_get == "exit 100")
    return started.read_text().splitlines()


@pytest.mark.parametrize(
    ("chromium", "apt_get", "uid", "started"),
    [
        (True, "exit 0", 0, ["make test"]),
        (False, "exit 0", 0, ["apt-get update", "apt-get install", "make test"]),
        (False, "exit 100", 0, ["apt-get update", "make test"]),
        (False, "exit 0", 1000, ["make test"]),
    ],
)
def test_a_missing_browser_is_installed_if_it_can_be(
    tmp_path: Path, chromium: bool, apt_get: str, uid: int, started: list[str]
) -> None:
    assert run(tmp_path, chromium=chromium, apt_get=apt_get, uid=uid) == started
