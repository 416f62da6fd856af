"""The project's own set of secrets and of ordinary talk, drawn with a fixed seed."""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.safety.redaction_ordinary import VALUES
from tests.safety.redaction_values import draw

HERE = Path(__file__).parent
SEED = 20260528
POSITIVES_EACH = 2
NEGATIVES_EACH = 5


class Positive(NamedTuple):
    """A text with one secret at [start, end)."""

    group: str
    text: str
    start: int
    end: int


@cache
def positives() -> tuple[Positive, ...]:
    return tuple(_positives())


@cache
def negatives() -> tuple[str, ...]:
    return tuple(dict.fromkeys(_negatives()))


@cache
def positive_templates() -> list[tuple[str, dict[str, Any]]]:
    """(group, template)"""
    table = yaml.safe_load((HERE / "redaction_positives.yaml").read_text("utf-8"))
    return [(group, template) for group, templates in table.items() for template in templates]


@cache
def negative_templates() -> list[str]:
    templates: list[str] = yaml.safe_load((HERE / "redaction_negatives.yaml").read_text("utf-8"))
    return templates


def _positives() -> Iterator[Positive]:
    for group, template in positive_templates():
        # A seed of its own: a new template changes no other's cases.
        chance = random.Random(f"{SEED} {template['text']}")
        before, _, after = template["text"].partition("<>")
        for spec in template["values"]:
            for _ in range(POSITIVES_EACH):
                secret = draw(spec, chance)
                start = len(before)
                yield Positive(group, before + secret + after, start, start + len(secret))


def _negatives() -> Iterator[str]:
    for template in negative_templates():
        chance = random.Random(f"{SEED} {template}")
        for _ in range(NEGATIVES_EACH):
            yield _filled(template, chance)


def _filled(template: str, chance: random.Random) -> str:
    return re.sub(r"<(\w+)>", lambda name: VALUES[name[1]](chance), template)
