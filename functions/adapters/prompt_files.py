"""Prompt files: `prompts/<name>.<version>.md`, YAML front matter before a Jinja body."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from shared.canary import Canary, is_on_canary
from shared.model.cycle import PromptUsed
from shared.model.thread import ThreadKey
from shared.prompting import PromptTemplate

_FRONT_MATTER = re.compile(r"\A---\r?\n(?P<front>.*?)^---\r?\n(?P<body>.*)\Z", re.DOTALL | re.M)
_SOURCE_ROOT = Path(__file__).resolve().parents[2]


class PromptFiles:
    """The prompts under `<root>/prompts`, each parsed once and kept.

    `versions` pins a prompt's version (`{"chat": "v6"}`); else the highest is taken. A version
    that a canary names is for its share of threads alone, even where it is the highest.
    """

    def __init__(
        self,
        root: Path = _SOURCE_ROOT,
        *,
        versions: Mapping[str, str] | None = None,
        canaries: Mapping[str, Canary] | None = None,
    ) -> None:
        self._folder = root / "prompts"
        self._versions = dict(versions or {})
        self._canaries = dict(canaries or {})
        self._files: dict[str, dict[str, Path]] = {}
        self._loaded: dict[tuple[str, str], PromptTemplate] = {}

    def load(self, name: str, thread: ThreadKey | None = None) -> PromptTemplate:
        """The prompt of that name as this thread has it; without a thread, as most have it.

        Raises `KeyError` when no file has that name and version, `ValueError` when the front
        matter is missing, does not fit or contradicts the file's name, and
        `PromptInputError` when the inputs listed are not those of the body.
        """
        canary = self._canaries.get(name)
        if canary is None or thread is None or not is_on_canary(thread, name, canary.share):
            return self._version(name, self._usual(name))
        template = self._version(name, canary.version or self._usual(name))
        return template if canary.model is None else _asking(template, canary.model)

    def made_with(self, used: PromptUsed) -> PromptTemplate:
        """That version of that prompt. Raises like `load`."""
        return self._version(used.name, used.version)

    def check(self) -> None:
        """Raises ValueError when a setting names a prompt or a version that no file has."""
        named = [("PROMPT_VERSIONS", name, version) for name, version in self._versions.items()]
        for name, canary in self._canaries.items():
            named.append(("PROMPT_CANARY", name, canary.version or ""))
        for setting, name, version in named:
            try:
                self._version(name, version or self._usual(name))
            except KeyError as error:
                raise ValueError(f"{setting}: there is no {error.args[0]}") from error

    def _usual(self, name: str) -> str:
        """The version of all threads that no canary takes."""
        canary = self._canaries.get(name)
        found = self._files_of(name)
        others = [version for version in found if canary is None or version != canary.version]
        return self._versions.get(name) or _newest(others or found)

    def _version(self, name: str, version: str) -> PromptTemplate:
        if (name, version) not in self._loaded:
            files = self._files_of(name)
            if version not in files:
                raise KeyError(f"prompts/{name}.{version}.md")
            self._loaded[name, version] = self._read(files[version])
        return self._loaded[name, version]

    def _files_of(self, name: str) -> dict[str, Path]:
        if name not in self._files:
            form = re.compile(re.escape(name) + r"\.(v\d+)\.md")
            paths = {path.name: path for path in self._folder.glob("*.md")}
            matches = [match for file_name in paths if (match := form.fullmatch(file_name))]
            self._files[name] = {match[1]: paths[match[0]] for match in matches}
        return self._files[name]

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


def _newest(versions: Iterable[str]) -> str:
    return max(versions, key=lambda version: int(version[1:]), default="v*")


def _asking(template: PromptTemplate, model: str) -> PromptTemplate:
    """The prompt with another model to ask first; its own is the first to fall back on."""
    others = [one for one in (template.model, *template.fallback_models) if one != model]
    return template.model_copy(update={"model": model, "fallback_models": tuple(others)})
