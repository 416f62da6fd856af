"""Prepares a fresh clone: `python3 -m tools.setup python` or `… all`.

Runs before anything is installed, so it uses the standard library only. Each step keeps a
stamp (a hash of what it was made from) and does nothing while the stamp still fits.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import storage_rules, toolchain
from tools.toolchain import ROOT, TOOLS, VENV, WEB, SetupError, say

PYTHON_SOURCES = (ROOT / "requirements.txt", ROOT / "tests" / "requirements.txt")
NODE_SOURCES = ("package.json", "package-lock.json", ".npmrc")
PYTHON_STAMP = VENV / ".made-from"
OLDEST_NODE = 20


def main(arguments: Sequence[str]) -> int:
    """Prepare the Python part, all but the page, or the page too; a failure is one sentence."""
    if list(arguments) not in (["python"], ["all"], ["page"]):
        print("usage: python3 -m tools.setup python|all|page", file=sys.stderr)
        return 2
    try:
        prepare_python()
        if arguments[0] == "page":
            prepare_page()
        if arguments[0] != "python":
            prepare_node()
            storage_rules.prepare(Path(toolchain.prepare().firestore_jar))
    except SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def fingerprint(sources: Sequence[Path], made_at: Path) -> str:
    """Hash what something is made from, and where: a venv that was moved no longer works."""
    digest = hashlib.sha256(str(made_at).encode())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def is_current(stamp: Path, wanted: str) -> bool:
    """Tell whether a step's result was made from the files as they are now."""
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted


def prepare_python() -> None:
    """Make `venv/` (the folder that firebase-tools looks for) and fill it."""
    wanted = fingerprint(PYTHON_SOURCES, VENV)
    if is_current(PYTHON_STAMP, wanted) and (VENV / "bin" / "python3.11").exists():
        return
    if not _venv_works():
        _make_venv()
    say("Python packages into venv/ (about a minute the first time)")
    toolchain.pip_install("-r", str(PYTHON_SOURCES[1]))
    PYTHON_STAMP.write_text(wanted, encoding="utf-8")


def _venv_works() -> bool:
    python, activate = VENV / "bin" / "python", VENV / "bin" / "activate"
    if not (python.exists() and activate.is_file()):
        return False
    made_here = str(VENV) in activate.read_text(encoding="utf-8")
    return made_here and toolchain.output_of(python, "-m", "pip", "--version") is not None


def _make_venv() -> None:
    say(f"venv/ with Python {sys.version_info.major}.{sys.version_info.minor}")
    shutil.rmtree(VENV, ignore_errors=True)
    if not _venv_from_this_python() and not _venv_from_uv():
        raise SetupError(
            "this Python cannot make a virtual environment: "
            "install its venv module (python3-venv on Debian and Ubuntu) or uv."
        )
    # firebase-tools calls `python3.11` in the venv, whichever Python made it.
    alias = VENV / "bin" / "python3.11"
    if not alias.exists():
        alias.symlink_to("python")


def _venv_from_this_python() -> bool:
    done = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True, check=False)
    return done.returncode == 0


def _venv_from_uv() -> bool:
    uv = shutil.which("uv")
    if uv is None:
        return False
    shutil.rmtree(VENV, ignore_errors=True)
    command = [uv, "venv", "--quiet", "--seed", "--python", "3.11", str(VENV)]
    return subprocess.run(command, check=False).returncode == 0


def prepare_node() -> None:
    """Install firebase-tools and the JavaScript SDK, by their lock file."""
    what = "firebase-tools into tools/node_modules/ (two minutes, 300 MB)"
    _npm_install(_require_node(), TOOLS, what)


def prepare_page() -> None:
    """Install the page's packages, by their lock file."""
    what = "the page's packages into web/node_modules/ (a minute, 400 MB)"
    _npm_install(_require_node(), WEB, what)


def _npm_install(npm: str, folder: Path, what: str) -> None:
    stamp = folder / "node_modules" / ".made-from"
    wanted = fingerprint([folder / name for name in NODE_SOURCES], folder)
    if is_current(stamp, wanted):
        return
    say(what)
    done = subprocess.run([npm, "ci", "--loglevel=error"], cwd=folder, check=False)
    if done.returncode != 0:
        raise SetupError(f"npm could not install into {folder.name}/; its own message is above.")
    stamp.write_text(wanted, encoding="utf-8")


def _require_node() -> str:
    npm = shutil.which("npm")
    version = node_major(toolchain.output_of("node", "--version") or "")
    if npm is None or version is None or version < OLDEST_NODE:
        raise SetupError(f"Node.js {OLDEST_NODE} or newer is needed, with npm, on the PATH.")
    return npm


def node_major(version: str) -> int | None:
    """Read the major number from what `node --version` prints, such as `v20.1.0`."""
    found = re.match(r"v(\d+)\.", version)
    return int(found.group(1)) if found else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
