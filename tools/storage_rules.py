"""Finds, fetches or makes the program that the storage emulator asks about storage.rules.

firebase-tools downloads its own. Where it cannot, the Firestore emulator's jar holds the same
rules engine, and StorageRules.java serves it, given a Java compiler. With neither the suite runs
without storage. Standard library only: set-up uses it before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from tools import toolchain
from tools.toolchain import FIREBASE_TOOLS, TOOLS, VENV, say

SOURCE = TOOLS / "StorageRules.java"
MADE = VENV / "storage-rules.jar"
ENV = "STORAGE_EMULATOR_BINARY_PATH"
_OLDEST_JAVA = "17"


def find() -> Path | None:
    """Say which program is there: one that was named, firebase-tools' own, or ours."""
    named = os.environ.get(ENV)
    candidates = (Path(named) if named else None, _downloaded(), MADE)
    return next((one.absolute() for one in candidates if one and one.is_file()), None)


def prepare(firestore_jar: Path) -> None:
    """Have it ready: make ours where the Firestore emulator was no download either, or download.

    Ours is made anew when its source is newer. Nothing else needs storage, so failing is no error.
    """
    is_current = MADE.is_file() and MADE.stat().st_mtime >= SOURCE.stat().st_mtime
    if is_current or find() not in {None, MADE}:
        return
    if firestore_jar != toolchain.firebase_tools_jar() and make(MADE, firestore_jar):
        return
    say("the program behind the storage emulator (53 MB)")
    toolchain.download("storage")
    if find() is None:
        print(
            "set-up: without it the emulators run without storage; a Java compiler would do too.",
            file=sys.stderr,
        )


def make(target: Path, firestore_jar: Path) -> bool:
    """Compile ours against the Firestore emulator's jar; False where that does not work."""
    javac = shutil.which("javac")
    if javac is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        options = ["--release", _OLDEST_JAVA, "-proc:none", "-d", folder]
        command = [javac, *options, "-cp", str(firestore_jar), str(SOURCE)]
        if toolchain.output_of(*command, timeout=120) is None:
            return False
        with zipfile.ZipFile(target, "w") as jar:
            jar.writestr(
                "META-INF/MANIFEST.MF", toolchain.manifest(SOURCE.stem, firestore_jar.as_uri())
            )
            for compiled in Path(folder).glob("*.class"):
                jar.write(compiled, compiled.name)
    return True


def _downloaded() -> Path | None:
    return toolchain.firebase_tools_jar("storage") if FIREBASE_TOOLS.is_dir() else None
