"""Prompt files: which one is read, what it carries, and what is wrong with a bad one."""

import hashlib
from pathlib import Path

import pytest

from functions.adapters.prompt_files import PromptFiles
from shared.prompting import PromptInputError
from tests.prompts.cases import NAMES, PROMPTS

PROMPT = """---
name: 인사
version: VERSION
model: gemini-a
fallback_models: [gemini-b, gemini-c]
temperature: 0.4
reasoning: false
inputs: [soul_name]
source: PRD §8-A
---
{% block system %}
안녕, {{ soul_name }}
{% endblock %}
"""

SETTINGS = {
    "chat": ("v6", "gemini-3.1-flash-lite-preview", 0.7),
    "memory_extraction": ("v4", "gemini-3-flash-preview", 0.4),
    "chat_summary": ("v5", "gemini-3-flash-preview", 0.4),
    "episode_summary": ("v1", "gemini-3-flash-preview", 0.4),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree with three versions of one prompt."""
    (tmp_path / "prompts").mkdir()
    for version in ("v2", "v9", "v10"):
        write(tmp_path, version, PROMPT.replace("VERSION", version))
    return tmp_path


def write(root: Path, version: str, text: str) -> Path:
    path = root / "prompts" / f"인사.{version}.md"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", NAMES)
def test_settings_of_the_prompts(name: str) -> None:
    """PRD §4-A names the models, their temperatures and no reasoning."""
    prompt = PROMPTS.load(name)
    assert (prompt.version, prompt.model, prompt.temperature) == SETTINGS[name]
    assert prompt.reasoning is False
    assert len(set(prompt.fallback_models) - {prompt.model}) == 2


@pytest.mark.parametrize("name", NAMES)
def test_sha256_is_that_of_the_file(name: str) -> None:
    prompt = PROMPTS.load(name)
    path = Path(__file__).parents[2] / "prompts" / f"{name}.{prompt.version}.md"
    assert prompt.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_one_changed_byte_changes_the_sha256(root: Path) -> None:
    before = PromptFiles(root).load("인사").sha256
    write(root, "v10", PROMPT.replace("VERSION", "v10") + "\n")
    assert PromptFiles(root).load("인사").sha256 != before


def test_highest_version_is_read_by_number(root: Path) -> None:
    assert PromptFiles(root).load("인사").version == "v10"


def test_pinned_version(root: Path) -> None:
    prompt = PromptFiles(root, versions={"인사": "v2"}).load("인사")
    assert (prompt.version, prompt.model) == ("v2", "gemini-a")
    assert prompt.fallback_models == ("gemini-b", "gemini-c")


def test_empty_pin_takes_the_highest(root: Path) -> None:
    assert PromptFiles(root, versions={"인사": ""}).load("인사").version == "v10"


def test_file_is_parsed_once(root: Path) -> None:
    prompts = PromptFiles(root)
    first = prompts.load("인사")
    write(root, "v10", "이제 프롬프트가 아니다")
    assert prompts.load("인사") is first


@pytest.mark.parametrize(("name", "version"), [("작별", ""), ("인사", "v3"), ("../인사", "v2")])
def test_no_such_prompt(root: Path, name: str, version: str) -> None:
    with pytest.raises(KeyError, match="prompts/"):
        PromptFiles(root, versions={name: version}).load(name)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("---\n", "", "no front matter"),
        ("name: 인사", "name: [", "is no YAML"),
        ("name: 인사", "name: 다른 것", "are not its own"),
        ("version: VERSION", "version: v1", "are not its own"),
        ("temperature: 0.4", "temperature: 뜨겁게", "temperature"),
        ("reasoning: false\n", "", "reasoning"),
        ("source:", "comment: 1\nsource:", "comment"),
    ],
)
def test_bad_front_matter_says_what_is_wrong(root: Path, old: str, new: str, error: str) -> None:
    write(root, "v11", PROMPT.replace(old, new).replace("VERSION", "v11"))
    with pytest.raises(ValueError, match=error):
        PromptFiles(root).load("인사")


def test_front_matter_must_be_a_mapping(root: Path) -> None:
    write(root, "v11", "---\n- name\n---\n{% block system %}{% endblock %}\n")
    with pytest.raises(ValueError, match="is no mapping"):
        PromptFiles(root).load("인사")


def test_inputs_are_checked_at_load(root: Path) -> None:
    text = PROMPT.replace("[soul_name]", "[soul]").replace("VERSION", "v11")
    write(root, "v11", text)
    with pytest.raises(
        PromptInputError, match="listed but not used: soul; used but not listed: soul_name"
    ):
        PromptFiles(root).load("인사")


def test_windows_line_ends_read_the_same(root: Path) -> None:
    write(root, "v11", PROMPT.replace("VERSION", "v11").replace("\n", "\r\n"))
    assert PromptFiles(root).load("인사").inputs == ("soul_name",)
