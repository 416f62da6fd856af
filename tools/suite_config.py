"""How the emulator suite is set: its ports, its settings and its environment.

The suite runs from a copy of firebase.json in a temporary folder. So it writes nothing into the
source tree (a changed file there reloads every function), and a developer's own `.env` files
decide nothing in a test.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import processes, storage_rules, toolchain
from tools.toolchain import ROOT

EMULATORS = ("auth", "functions", "firestore", "tasks", "eventarc", "storage")
PAGE_EMULATOR = "hosting"
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})


@dataclass(frozen=True)
class Page:
    """A page that the suite serves: what was built, more files beside it, and what it is told.

    It is known to no deployment: firebase.json has no hosting, only the suite's copy of it does.
    """

    built: Path
    facts: Mapping[str, object]
    files: tuple[Path, ...] = ()


def read_config() -> dict[str, Any]:
    """Read firebase.json."""
    config: dict[str, Any] = json.loads((ROOT / "firebase.json").read_text(encoding="utf-8"))
    return config


def emulator_ports(*, with_page: bool = False) -> dict[str, int]:
    """Say which port each emulator listens on, by firebase.json; storage only where it can run."""
    emulators = read_config()["emulators"]
    can_run = [name for name in EMULATORS if name != "storage" or storage_rules.find()]
    names = [*can_run, PAGE_EMULATOR] if with_page else can_run
    return {name: int(emulators[name]["port"]) for name in names}


def free_ports(*, with_page: bool = False) -> dict[str, int]:
    """Pick a free port for each emulator, so that several suites run side by side."""
    return {name: processes.free_port() for name in emulator_ports(with_page=with_page)}


def write_config(folder: Path, settings: Mapping[str, str], ports: Mapping[str, int]) -> Path:
    """Write the suite's firebase.json into `folder`, beside the functions' `settings`."""
    config = read_config()
    for functions in config["functions"]:
        # firebase-tools joins this path to the config's folder: an absolute one would not do.
        functions["source"] = os.path.relpath(ROOT / functions["source"], folder)
        functions["configDir"] = "."
    for key in ("rules", "indexes"):
        config["firestore"][key] = str(ROOT / config["firestore"][key])
    config["storage"]["rules"] = str(ROOT / config["storage"]["rules"])
    for name, port in ports.items():
        config["emulators"][name]["port"] = port
    if PAGE_EMULATOR in ports:
        config["hosting"] = {"public": "page"}
    origin = {"FUNCTIONS_EMULATOR_ORIGIN": f"{processes.HOST}:{ports['functions']}"}
    (folder / ".env").write_text(dotenv({**settings, **origin}), encoding="utf-8")
    written = folder / "firebase.json"
    written.write_text(json.dumps(config), encoding="utf-8")
    return written


def lay_page(folder: Path, page: Page, suite: Mapping[str, object]) -> None:
    """Put a page where `write_config` has it served from; `suite.json` says where its suite is."""
    public = folder / "page"
    shutil.copytree(page.built, public, ignore=shutil.ignore_patterns(".*"))
    for file in page.files:
        shutil.copy(file, public)
    facts = json.dumps({**suite, **page.facts}, ensure_ascii=False)
    (public / "suite.json").write_text(facts, encoding="utf-8")


def dotenv(settings: Mapping[str, str]) -> str:
    """Write settings in the form that firebase-tools reads back unchanged."""
    return "".join(f'{name}="{value.translate(_ESCAPES)}"\n' for name, value in settings.items())


def suite_env(folder: Path, tools: toolchain.Toolchain) -> dict[str, str]:
    """Give the environment that firebase-tools runs in; the functions inherit it."""
    home = Path(tools.java).parent.parent
    env = {
        **os.environ,
        "JAVA_HOME": str(home),
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
        # firebase-tools keeps its own settings here; a developer's login is none of its business.
        "XDG_CONFIG_HOME": str(folder),
        # The storage emulator keeps its files here, and takes the whole folder away when it ends:
        # in a common one it would end every other suite's.
        "TMPDIR": str(folder),
        "NO_UPDATE_NOTIFIER": "1",
        "NO_COLOR": "1",
    }
    if Path(tools.firestore_jar) != toolchain.firebase_tools_jar():
        env["FIRESTORE_EMULATOR_BINARY_PATH"] = tools.firestore_jar
    if storage_rules.find() == storage_rules.MADE:
        env[storage_rules.ENV] = str(storage_rules.MADE)
    return env
