"""What a prompt costs before anything is put into it."""

import pytest
import yaml

from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.prompting import render
from tests.prompts.cases import FOLDER, NAMES, PROMPTS

LIMITS = yaml.safe_load((FOLDER / "sizes.yaml").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_static_text_stays_small(name: str) -> None:
    template = PROMPTS.load(name)
    blocks = render(template, **dict.fromkeys(template.inputs, "a"))
    counter = TiktokenCounter()
    sizes = {block: counter.count(text) for block, text in blocks.items()}
    assert sizes.keys() == LIMITS[name].keys()
    assert {block: size for block, size in sizes.items() if size > LIMITS[name][block]} == {}
