"""Dates in a text, in the forms that memory writes them."""

import re
from collections.abc import Iterable
from typing import NamedTuple

UNKNOWN_TIME = "(시간 불명)"

_DATE = re.compile(
    r"(?:(?P<year>\d{4})\s?[-./년]\s?)?(?<!\d)(?P<month>\d{1,2})\s?[-./월]\s?(?P<day>\d{1,2})(?!\d)일?"
    r"(?:\s?\(?(?P<weekday>[월화수목금토일])(?:요일)?\)?(?![가-힣]))?"
)


class Date(NamedTuple):
    """A day of the calendar; what a text leaves out is None."""

    year: int | None
    month: int
    day: int
    weekday: str | None


def dates_in(text: str) -> list[Date]:
    """Every date that the text names.

    >>> dates_in("2026-05-28 (목)")
    [Date(year=2026, month=5, day=28, weekday='목')]
    """
    return [
        Date(
            int(found["year"]) if found["year"] else None,
            int(found["month"]),
            int(found["day"]),
            found["weekday"],
        )
        for found in _DATE.finditer(text)
        if 1 <= int(found["month"]) <= 12 and 1 <= int(found["day"]) <= 31
    ]


def is_one_of(date: Date, days: Iterable[Date]) -> bool:
    """Whether `date` is one of `days`, as far as both of them say."""
    return any(
        (date.month, date.day) == (day.month, day.day)
        and (date.year is None or day.year is None or date.year == day.year)
        and (date.weekday is None or day.weekday is None or date.weekday == day.weekday)
        for day in days
    )
