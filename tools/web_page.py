"""Builds the playground page (`web/`) when it, or what it is made of, has changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.setup import fingerprint, is_current
from tools.toolchain import WEB, SetupError, say

DIST = WEB / "dist"
STAMP = DIST / ".made-from"
_SETTINGS = ("package-lock.json", "package.json", "index.html", "tsconfig.json", "vite.config.ts")


def build_page() -> Path:
    """Give the folder of the built page. Raises SetupError where it does not build."""
    wanted = fingerprint(page_sources(), DIST)
    if is_current(STAMP, wanted):
        return DIST
    say("the page into web/dist/")
    done = subprocess.run(
        ["npm", "run", "--silent", "build"], cwd=WEB, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SetupError(f"the page does not build:\n{done.stdout}{done.stderr}".rstrip())
    STAMP.write_text(wanted, encoding="utf-8")
    return DIST


def page_sources() -> list[Path]:
    """List what the page is made of."""
    files = [path for path in (WEB / "src").rglob("*") if path.is_file()]
    return sorted([*files, *(WEB / name for name in _SETTINGS)])
