"""Which program reads storage.rules, and what happens where there is none."""

import shutil
from pathlib import Path

import pytest

from tools import storage_rules, toolchain


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine on which nothing is there yet; gives where ours would be."""
    monkeypatch.delenv(storage_rules.ENV, raising=False)
    monkeypatch.setattr(storage_rules, "FIREBASE_TOOLS", tmp_path / "no-firebase-tools")
    monkeypatch.setattr(storage_rules, "MADE", tmp_path / "made.jar")
    monkeypatch.setattr(toolchain, "firebase_tools_jar", lambda _="firestore": tmp_path / "usual")
    monkeypatch.setattr(toolchain, "download", lambda _: None)
    return tmp_path / "made.jar"


def test_where_nothing_is_there_nothing_is_found(nothing: Path) -> None:
    assert storage_rules.find() is None


def test_ours_is_found_and_a_named_one_goes_first(
    nothing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing.touch()
    assert storage_rules.find() == nothing
    named = nothing.with_name("named.jar")
    monkeypatch.setenv(storage_rules.ENV, str(named))
    assert storage_rules.find() == nothing
    named.touch()
    assert storage_rules.find() == named


def test_without_a_compiler_and_a_network_set_up_goes_on(
    nothing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    storage_rules.prepare(nothing.with_name("firestore.jar"))
    assert storage_rules.find() is None
    assert "without storage" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs a Java compiler")
def test_what_does_not_compile_is_not_made(nothing: Path) -> None:
    assert not storage_rules.make(nothing, nothing.with_name("no-emulator.jar"))
    assert not nothing.exists()
