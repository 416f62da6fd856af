"""Times as the people in the chat see them: local, with the weekday in Korean."""

from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from shared.errors import DocumentMisshapenError

_WEEKDAYS = "월화수목금토일"


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The zone called `name`. Raises KeyError or ValueError where there is none."""
    return ZoneInfo(name)


def zone_of_soul(soul_id: str, name: str) -> ZoneInfo:
    """A soul's zone; raises DocumentMisshapenError for a name that is no time zone."""
    try:
        return zone(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # The cause would repeat what stands in the field.
        raise DocumentMisshapenError(f"souls/{soul_id}", "time_zone", "is no time zone") from None


def day(moment: datetime, where: ZoneInfo) -> str:
    """`2026-05-28 (목)`"""
    local = moment.astimezone(where)
    return f"{local:%Y-%m-%d} ({_WEEKDAYS[local.weekday()]})"


def date(moment: datetime, where: ZoneInfo) -> str:
    """`2026-05-28`"""
    return f"{moment.astimezone(where):%Y-%m-%d}"


def clock_time(moment: datetime, where: ZoneInfo) -> str:
    """`23:14`"""
    return f"{moment.astimezone(where):%H:%M}"


def stamp(moment: datetime, where: ZoneInfo) -> str:
    """`[2026-05-28 (목) 23:14]`"""
    return f"[{day(moment, where)} {clock_time(moment, where)}]"
