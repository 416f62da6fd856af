"""A figure: a name, what was measured, and whether that is good enough."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """`detail` says what failed, where a number alone does not."""

    name: str
    value: float
    is_met: bool
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.value:.6g}"


def at_least(name: str, value: float, limit: float, detail: str = "") -> Figure:
    return Figure(name, value, value >= limit, detail)


def at_most(name: str, value: float, limit: float, detail: str = "") -> Figure:
    return Figure(name, value, value <= limit, detail)


def none_of(name: str, found: list[str]) -> Figure:
    """A count that must be zero; the first few of what was found are its detail."""
    return Figure(name, len(found), not found, "; ".join(found[:5]))
