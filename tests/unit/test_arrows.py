"""Imports point one way: main → functions → shared use case → shared policy."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTSIDE_THE_CORE = ("functions", "google", "firebase_", "flask", "tiktoken", "yaml", "requests")
CHANCE_AND_TIME = {"time", "random", "secrets", "uuid", "os", "pathlib", "io", "tempfile"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def wrong_arrows(path: Path) -> list[str]:
    """The imports of one file that climb against the layering."""
    where = path.relative_to(ROOT).as_posix()
    found = list(imports(path))
    if where.startswith("shared/"):
        return [
            name
            for name in found
            if name.startswith(OUTSIDE_THE_CORE) or name.split(".")[0] in CHANCE_AND_TIME
        ]
    if where.startswith("functions/adapters/"):
        return [
            name
            for name in found
            if name.startswith("functions.") and not name.startswith("functions.adapters.")
        ]
    roots = {
        "functions/services.py",
        "functions/models.py",
        "functions/failures.py",
        "functions/triggers.py",
    }
    if where.startswith("functions/") and where not in roots:
        return [name for name in found if name.startswith("functions.adapters")]
    return []


@pytest.mark.parametrize("path", sources("shared") + sources("functions"), ids=str)
def test_imports_point_inwards(path: Path) -> None:
    assert wrong_arrows(path) == []


def test_main_only_re_exports() -> None:
    allowed = ("functions.", "firebase_functions")
    assert [name for name in imports(ROOT / "main.py") if not name.startswith(allowed)] == []


def test_the_walk_sees_a_wrong_arrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.unit.test_arrows.ROOT", tmp_path)
    (tmp_path / "shared").mkdir()
    wrong = tmp_path / "shared" / "wrong.py"
    wrong.write_text("def f():\n    from google.cloud import firestore\n    import time\n")
    assert wrong_arrows(wrong) == ["google.cloud", "time"]
