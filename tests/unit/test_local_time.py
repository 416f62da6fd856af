"""Times as the people in the chat see them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from shared.errors import DocumentMisshapenError
from shared.local_time import stamp, zone_of_soul


@pytest.mark.parametrize(
    ("moment", "zone", "expected"),
    [
        (datetime(2026, 5, 28, 14, 14, tzinfo=UTC), "Asia/Seoul", "[2026-05-28 (목) 23:14]"),
        (datetime(2026, 5, 28, 15, 0, tzinfo=UTC), "Asia/Seoul", "[2026-05-29 (금) 00:00]"),
        (datetime(2026, 3, 8, 10, 30, tzinfo=UTC), "America/New_York", "[2026-03-08 (일) 06:30]"),
    ],
)
def test_a_stamp_is_local_and_names_the_weekday(moment: datetime, zone: str, expected: str) -> None:
    assert stamp(moment, ZoneInfo(zone)) == expected


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "Asia"])
def test_a_zone_that_is_none_is_the_directors_to_mend(name: str) -> None:
    with pytest.raises(DocumentMisshapenError, match="souls/sohee, field time_zone"):
        zone_of_soul("sohee", name)
