"""The YAML cases beside this file, and the prompts that they are run against."""

from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ConfigDict

from functions.adapters.prompt_files import PromptFiles
from shared.prompting import render

NAMES = ("chat", "memory_extraction", "chat_summary", "episode_summary")
FOLDER = Path(__file__).parent
PROMPTS = PromptFiles()


class Case(BaseModel):
    """What every case has: its name, the prompt, and the inputs that differ from `inputs.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    case: str
    prompt: str
    values: dict[str, str] = {}


CaseT = TypeVar("CaseT", bound=Case)


def read(file_name: str, kind: type[CaseT]) -> list[CaseT]:
    """The cases of one YAML file; a misspelt key is an error."""
    text = (FOLDER / file_name).read_text("utf-8")
    return [kind.model_validate(row) for row in yaml.safe_load(text)]


def inputs_of(prompt: str) -> dict[str, str]:
    """A plausible value for every input of the prompt."""
    every = yaml.safe_load((FOLDER / "inputs.yaml").read_text("utf-8"))
    return {name: every[name] for name in PROMPTS.load(prompt).inputs}


def rendered(case: Case) -> dict[str, str]:
    """The blocks of the case's prompt, filled with its values."""
    return render(PROMPTS.load(case.prompt), **(inputs_of(case.prompt) | case.values))
