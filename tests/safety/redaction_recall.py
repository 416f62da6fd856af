"""How much the redactor finds of the project's own set, and how often it is wrong."""

import json
from collections import Counter
from pathlib import Path

from shared.safety.redaction import redact
from tests.safety.figures import Figure, at_least, at_most
from tests.safety.redaction_set import (
    Positive,
    negative_templates,
    negatives,
    positive_templates,
    positives,
)

MIN_RECALL = {"keys": 0.99, "numbers": 0.98, "accounts": 0.95, "passwords": 0.90, "others": 0.95}
MAX_FALSE = 0.01


def measure(chats: Path | None = None) -> list[Figure]:
    """Recall by group and the share of ordinary lines that lose something, also of `chats`."""
    figures = [
        at_least("redaction_positives", len(positives()), 300),
        at_least("redaction_positive_templates", len(positive_templates()), 60),
        at_least("redaction_negatives", len(negatives()), 400),
        at_least("redaction_negative_templates", len(negative_templates()), 80),
    ]
    missed = [case for case in positives() if not is_found(case)]
    totals, gone = (Counter(case.group for case in cases) for cases in (positives(), missed))
    for group, limit in MIN_RECALL.items():
        recall = 1 - gone[group] / totals[group]
        texts = [case.text for case in missed if case.group == group]
        figures.append(at_least(f"redaction_recall_{group}", recall, limit, "; ".join(texts[:5])))
    figures.append(_false_positives("redaction_false_positives", list(negatives())))
    if chats is not None:
        figures.append(_false_positives("redaction_false_positives_chats", chat_lines(chats)))
    return figures


def is_found(case: Positive) -> bool:
    """Whether nothing of the secret is left: the findings together cover all of it."""
    covered = case.start
    for finding in redact(case.text).findings:
        if finding.start <= covered < finding.end:
            covered = finding.end
    return covered >= case.end


def false_positives(lines: list[str]) -> list[str]:
    return [line for line in lines if redact(line).findings]


def chat_lines(path: Path) -> list[str]:
    """The messages of a recorded chat, one JSON object a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines if line.strip()]


def _false_positives(name: str, lines: list[str]) -> Figure:
    wrong = false_positives(lines)
    return at_most(name, len(wrong) / len(lines), MAX_FALSE, "; ".join(wrong[:5]))
