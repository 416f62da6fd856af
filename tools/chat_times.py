"""Reads the times of recorded chats: ISO 8601, epoch numbers and SillyTavern's own forms.

The forms of SillyTavern are those that its `timestampToMoment` reads and its versions wrote.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2500, 1, 1, tzinfo=UTC)
_SECONDS_BELOW = 100_000_000_000  # as milliseconds that would be a day in 1973

_NUMBER = re.compile(r"\d{9,14}")
_HUMANIZED = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?(\d{1,3})ms)?"
)
_SPOKEN = re.compile(r"([A-Za-z]{3,9}) (\d{1,2}), (\d{4}) (\d{1,2}):(\d{2}) ?([AaPp])[Mm]")
_MONTHS = (
    "january february march april may june july august september october november december"
).split()


class TimeFormError(ValueError):
    """The value is in no known form of a time, or out of range."""


def read_time(value: object, zone: tzinfo) -> tuple[datetime, bool]:
    """Give the time in UTC, and whether it said its zone; otherwise it is read in `zone`.

    Raises TimeFormError, whose text never holds the value.
    """
    try:
        found = _parse(value)
        said_zone = found.tzinfo is not None
        in_utc = (found if said_zone else found.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise TimeFormError("is no time in a known form") from error
    if not EARLIEST <= in_utc < LATEST:
        raise TimeFormError("is not between the years 1970 and 2500")
    return in_utc, said_zone


def _parse(value: object) -> datetime:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("neither text nor a number")
    if isinstance(value, int | float):
        return _from_epoch(value)
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return _from_epoch(int(text))
    if found := _HUMANIZED.fullmatch(text):
        *parts, millisecond = (int(part or 0) for part in found.groups())
        return datetime(*parts, microsecond=millisecond * 1000)  # type: ignore[misc, arg-type]
    if found := _SPOKEN.fullmatch(text):
        return _from_spoken(found)
    return datetime.fromisoformat(text)


def _from_epoch(number: float) -> datetime:
    seconds = number if abs(number) < _SECONDS_BELOW else number / 1000
    return EARLIEST + timedelta(seconds=seconds)


def _from_spoken(found: re.Match[str]) -> datetime:
    month, day, year, hour, minute, half = found.groups()
    months = [index for index, name in enumerate(_MONTHS, 1) if name.startswith(month.lower())]
    if not months:
        raise ValueError("no month")
    if not 1 <= int(hour) <= 12:
        raise ValueError("no hour of a twelve-hour clock")
    hour_of_day = int(hour) % 12 + (12 if half.lower() == "p" else 0)
    return datetime(int(year), months[0], int(day), hour_of_day, int(minute))
