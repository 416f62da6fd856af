"""Every rule that the requirements put into a prompt is in the prompt that is sent."""

import re

import pytest

from tests.prompts.cases import Case, read, rendered


class Rule(Case):
    """`says` is a phrase; `matches` and `absent` are regular expressions over whole lines."""

    source: str
    block: str
    says: str = ""
    matches: str = ""
    absent: str = ""


RULES = read("rules_chat.yaml", Rule) + read("rules_memory.yaml", Rule)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.prompt}: {rule.case}")
def test_prompt_says_the_rule(rule: Rule) -> None:
    text = rendered(rule)[rule.block]
    assert rule.says or rule.matches or rule.absent, "a rule without a check"
    assert rule.says in " ".join(text.split())
    assert re.search(rule.matches, text, re.M), f"{rule.source}: no match"
    if rule.absent:
        assert not re.search(rule.absent, text, re.M), f"{rule.source}: must not stand here"


def test_rules_have_names_of_their_own() -> None:
    names = [(rule.prompt, rule.case) for rule in RULES]
    assert len(names) == len(set(names))
