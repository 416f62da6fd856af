"""Measure what memory leaks or lets through: `make safety`, one figure a line as `name value`.

`CHATS=file.jsonl` adds the false positives on a recorded chat, which stays where it is. Exits 1
when a figure is not what it must be; what failed is said on standard error.
"""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.safety import (
    budget,
    canary,
    evidence_time,
    hostile,
    promotion,
    redaction_recall,
    redaction_time,
    rules,
)
from tests.safety.figures import Figure
from tools.emulators import running_firestore

Measure = Callable[[], list[Figure]]

ALONE: tuple[Measure, ...] = (
    redaction_time.measure,
    evidence_time.measure,
    promotion.measure,
    hostile.measure,
)
# On the emulator that FIRESTORE_EMULATOR_HOST names.
ON_FIRESTORE: tuple[Measure, ...] = (canary.measure, budget.measure)


def main() -> int:
    checked = failed = 0
    for figure in figures(os.environ.get("CHATS", "")):
        print(figure, flush=True)
        checked += 1
        if not figure.is_met:
            failed += 1
            print(f"{figure.name} is not what it must be: {figure.detail}", file=sys.stderr)
    print(f"safety: {checked} checks, {failed} failed")
    return 1 if failed else 0


def figures(chats: str) -> Iterator[Figure]:
    yield from redaction_recall.measure(Path(chats) if chats else None)
    for measure in ALONE:
        yield from measure()
    with running_firestore() as host:
        os.environ["FIRESTORE_EMULATOR_HOST"] = host
        for measure in ON_FIRESTORE:
            yield from measure()
        yield from rules.measure(host)


if __name__ == "__main__":
    sys.exit(main())
