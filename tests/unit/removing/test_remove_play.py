"""A play that its user removed: what the game recorded of it goes too (PRD §4.7)."""

from datetime import datetime, timedelta

import pytest

from shared.errors import RetryLaterError
from shared.removing.remove_play import PAGE, PAGES, PlayRemoved, RemovePlay, remove_play
from tests.factories import NOW


class FakeParts:
    """Parts of one play, each with the time it was written."""

    def __init__(self, *times: datetime) -> None:
        self.times = list(times)
        self.pages = 0
        self.is_back = False

    def is_there(self, uid: str, play_id: str) -> bool:
        return self.is_back

    def delete_parts(self, uid: str, play_id: str, *, until: datetime, limit: int) -> int:
        self.pages += 1
        gone = [time for time in self.times if time <= until][:limit]
        for time in gone:
            self.times.remove(time)
        return len(gone)


COMMAND = RemovePlay(uid="u1", play_id="p1", deleted_at=NOW)


def test_everything_goes_page_by_page() -> None:
    parts = FakeParts(*[NOW] * (2 * PAGE + 1))
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=2 * PAGE + 1)
    assert (parts.times, parts.pages) == ([], 3)


def test_a_second_delivery_finds_nothing() -> None:
    parts = FakeParts(NOW)
    remove_play(COMMAND, parts=parts)
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=0)


def test_what_came_after_the_deletion_stays() -> None:
    parts = FakeParts(NOW, NOW + timedelta(seconds=2))
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=1)
    assert parts.times == [NOW + timedelta(seconds=2)]


def test_a_play_that_is_there_again_keeps_what_it_has() -> None:
    parts = FakeParts(NOW)
    parts.is_back = True
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=0)
    assert parts.times == [NOW]


def test_an_event_whose_time_has_no_fractions_takes_what_was_just_written() -> None:
    parts = FakeParts(NOW + timedelta(milliseconds=700))
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=1)


def test_more_than_one_delivery_has_time_for_is_tried_again() -> None:
    parts = FakeParts(*[NOW] * (PAGES * PAGE + 5))
    with pytest.raises(RetryLaterError):
        remove_play(COMMAND, parts=parts)
    assert remove_play(COMMAND, parts=parts) == PlayRemoved(parts=5)
