"""The forms that recorded chats write times in."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml

from tools.chat_times import TimeFormError, read_time

CASES = yaml.safe_load((Path(__file__).parent / "chat_times.yaml").read_text(encoding="utf-8"))
SEOUL = ZoneInfo("Asia/Seoul")


@pytest.mark.parametrize(("value", "wanted"), CASES["with a zone"])
def test_a_time_that_says_its_zone(value: object, wanted: str) -> None:
    assert read_time(value, SEOUL) == (datetime.fromisoformat(wanted).replace(tzinfo=UTC), True)


@pytest.mark.parametrize(("value", "wanted"), CASES["without a zone"])
def test_a_time_that_is_read_in_the_zone_given(value: object, wanted: str) -> None:
    assert read_time(value, SEOUL) == (datetime.fromisoformat(wanted).replace(tzinfo=SEOUL), False)


@pytest.mark.parametrize("value", CASES["no time"])
def test_what_is_no_time(value: object) -> None:
    with pytest.raises(TimeFormError) as refused:
        read_time(value, SEOUL)
    assert not isinstance(value, str) or not value or value not in str(refused.value)
