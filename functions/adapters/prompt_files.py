"""Prompt files: `prompts/<name>.<version>.md`, YAML front matter before a Jinja body."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from shared.prompting import PromptTemplate

_FRONT_MATTER = re.compile(r"\A---\r?\n(?P<front>.*?)^---\r?\n(?P<body>.*)\Z", re.DOTALL | re.M)
_SOURCE_ROOT = Path(__file__).resolve().parents[2]


class PromptFiles:
    """The prompts under `<root>/prompts`, each parsed once and kept.

    `versions` pins a prompt's version (`{"chat": "v6"}`); else the highest is taken.
    """

    def __init__(
        self,
        root: Path = _SOURCE_ROOT,
        *,
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self._folder = root / "prompts"
        self._versions = dict(versions or {})
        self._loaded: dict[str, PromptTemplate] = {}

    def load(self, name: str) -> PromptTemplate:
        """The prompt of that name.

        Raises `KeyError` when no file has that name and version, `ValueError` when the front
        matter is missing, does not fit or contradicts the file's name, and
        `PromptInputError` when the inputs listed are not those of the body.
        """
        if name not in self._loaded:
            self._loaded[name] = self._read(self._path(name))
        return self._loaded[name]

    def _path(self, name: str) -> Path:
        found = {
            f"v{match[1]}": path
            for path in self._folder.glob("*.md")
            if (match := re.fullmatch(re.escape(name) + r"\.v(\d+)\.md", path.name))
        }
        version = self._versions.get(name) or max(found, key=lambda v: int(v[1:]), default="v*")
        if version not in found:
            raise KeyError(f"prompts/{name}.{version}.md")
        return found[version]

    def _read(self, path: Path) -> PromptTemplate:
        import yaml

        raw = path.read_bytes()
        parts = _FRONT_MATTER.match(raw.decode("utf-8"))
        if parts is None:
            raise ValueError(f"{path.name}: no front matter between --- lines")
        try:
            front = yaml.safe_load(parts["front"])
        except yaml.YAMLError as error:
            raise ValueError(f"{path.name}: the front matter is no YAML") from error
        if not isinstance(front, dict):
            raise ValueError(f"{path.name}: the front matter is no mapping")
        if path.name != f"{front.get('name')}.{front.get('version')}.md":
            raise ValueError(f"{path.name}: name and version in the file are not its own")
        return PromptTemplate.model_validate(
            front | {"sha256": hashlib.sha256(raw).hexdigest(), "body": parts["body"]}
        )
