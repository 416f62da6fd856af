"""What leaves a prompt that is too long: long-term memory first, then live history (PRD §9.3)."""

import re
from collections.abc import Sequence

_DATE = re.compile(r"(\d{4})\D{1,2}(\d{1,2})(?:\D{1,2}(\d{1,2}))?")
_MIN_FIELDS = 4


def oldest_first(bullets: Sequence[str]) -> list[int]:
    """Positions of long-term memory bullets, the first to leave first.

    The bullet with the earliest time leaves first; one without a known time before all others;
    ties by position.
    """
    return sorted(range(len(bullets)), key=lambda position: (_when(bullets[position]), position))


def _when(bullet: str) -> tuple[int, int, int]:
    """Year, month and day of `[source / title / time / name]`; zeros where unknown."""
    head, _, _ = bullet.partition("] ")
    fields = head.split(" / ")
    match = _DATE.search(fields[-2]) if len(fields) >= _MIN_FIELDS else None
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else (0, 0, 0)


def drop_until(costs: Sequence[int], excess: int) -> int:
    """How many of `costs`, from the first, must go to save at least `excess`; all at most."""
    dropped = 0
    while excess > 0 and dropped < len(costs):
        excess -= costs[dropped]
        dropped += 1
    return dropped
