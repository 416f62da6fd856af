"""A night finishes what was begun, and lets nobody go whom Auth may yet know."""

from datetime import timedelta

import pytest

from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.leaving.nightly_sweep import NightlyReport, nightly_sweep
from shared.settings import Settings
from tests.factories import NOW
from tests.unit.leaving.house import House

DAY = timedelta(days=1).total_seconds()
GONE, HERE = "떠난이", "남은이"


def night(house: House) -> NightlyReport:
    """One night, and then a day passes."""
    report = nightly_sweep(ports=house.ports)
    house.clock.pass_time(DAY)
    return report


def house_left(*gone: str, **settings: int) -> House:
    """Users of whom some have no account any more."""
    house = House(HERE, *gone, settings=Settings.model_validate(settings))
    house.accounts.uids = {HERE}
    return house


def test_a_user_without_an_account_goes_on_the_second_night() -> None:
    house = house_left(GONE)
    first = night(house)
    assert (first.users_compared, first.users_missing, first.users_deleted) == (2, 1, 0)
    assert house.of(GONE) != []
    second = night(house)
    assert (second.users_deleted, house.of(GONE), second.alarms) == (1, [], ())
    assert house.deletions.stones[GONE].reason == "account_gone"
    assert house.of(HERE) != []
    assert house.users.missing == {}


def test_nobody_goes_before_a_day_has_passed() -> None:
    house = house_left(GONE)
    for _ in range(5):
        nightly_sweep(ports=house.ports)
        house.clock.pass_time(3600)
    assert house.of(GONE) != []


def test_an_account_that_auth_knows_after_all_is_left_alone() -> None:
    house = house_left(GONE)
    night(house)
    house.accounts.uids.add(GONE)
    assert night(house).users_deleted == 0
    assert house.users.missing == {}
    house.accounts.uids.discard(GONE)
    assert night(house).users_deleted == 0  # it begins anew
    assert house.of(GONE) != []


def test_while_auth_does_not_answer_nobody_goes() -> None:
    house = house_left(GONE)
    night(house)
    house.accounts.broken = True
    report = night(house)
    assert (report.users_deleted, report.errors, report.finished) == (
        0,
        ("RetryLaterError",),
        False,
    )
    assert house.of(GONE) != []


def test_where_auth_answers_in_part_nobody_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.leaving.nightly_sweep.COMPARED_AT_ONCE", 1)
    house = house_left(GONE)
    night(house)
    house.move_in("하늘")
    house.accounts.stumbles_at = "하늘"
    report = night(house)
    assert (report.users_compared, report.users_deleted) == (2, 0)
    assert house.of(GONE) != []


def test_a_night_in_which_auth_knows_nobody_deletes_nobody() -> None:
    house = house_left(GONE)
    night(house)
    house.accounts.uids.clear()
    report = night(house)
    assert (report.users_deleted, report.alarms) == (0, ("auth_knew_nobody",))
    assert house.of(GONE) != []
    assert house.of(HERE) != []


def test_one_night_deletes_a_limited_number_and_says_so() -> None:
    gone = [f"떠난이{number}" for number in range(5)]
    house = house_left(*gone, accounts_per_night=2)
    night(house)
    reports = [night(house) for _ in range(3)]
    assert [one.users_deleted for one in reports] == [2, 2, 1]
    alarm = "more_users_without_an_account_than_one_night_may_delete"
    assert [one.alarms for one in reports] == [(alarm,), (alarm,), ()]
    assert [one.finished for one in reports] == [False, False, True]


def test_a_limit_of_nothing_lets_nobody_go() -> None:
    house = house_left(GONE, accounts_per_night=0)
    assert [night(house).users_deleted for _ in range(3)] == [0, 0, 0]
    assert house.of(GONE) != []


def test_a_uid_that_auth_could_not_have_is_no_missing_account() -> None:
    house = house_left("가" * 129)
    assert [night(house).users_missing for _ in range(2)] == [0, 0]


def test_the_comparison_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.leaving.nightly_sweep.COMPARED_AT_ONCE", 2)
    monkeypatch.setattr("shared.leaving.nightly_sweep.COMPARED", 2)
    house = house_left("가", "나", "다", "라")
    reports = [night(house) for _ in range(3)]
    assert [one.users_compared for one in reports] == [2, 2, 1]
    assert [one.finished for one in reports] == [False, False, True]
    assert house.users.bookmark.users_after is None


def test_a_deletion_that_was_begun_is_finished() -> None:
    house = House(GONE, HERE)
    house.belongings.after_page = lambda: house.clock.pass_time(100)
    assert not delete_my_data(DeleteMyData(uid=GONE), ports=house.ports).finished
    house.belongings.after_page = lambda: None
    assert night(house).deletions_finished == 0  # perhaps it is still under way
    assert night(house).deletions_finished == 1
    assert house.of(GONE) == []


def test_what_came_late_goes_and_quiet_tombstones_are_looked_at_ever_more_rarely() -> None:
    house = House(GONE, HERE)
    delete_my_data(DeleteMyData(uid=GONE), ports=house.ports)
    pauses = []
    for number in range(70):
        if number == 3:
            house.belongings.paths.add(f"users/{GONE}/plays/p2")
            house.files.made[f"users/{GONE}/images/늦은.jpg"] = NOW
        before = house.deletions.stones[GONE].look_at
        report = night(house)
        if house.deletions.stones[GONE].look_at != before:
            pauses.append((house.deletions.stones[GONE].look_at - before).days)
        assert report.late in {0, 2}
    assert house.of(GONE) == []
    assert pauses == [1, 2, 1, 5, 10, 20, 30]


def test_exports_go_after_a_day() -> None:
    house = House(HERE)
    assert night(house).exports_deleted == 0
    house.clock.pass_time(1)
    assert night(house).exports_deleted == 1
    assert house.files.made == {f"users/{HERE}/images/사진.jpg": NOW}


def test_what_fails_in_one_part_stops_no_other() -> None:
    house = house_left(GONE)

    def broken(*_: object, **__: object) -> int:
        raise ConnectionError

    house.files.delete_old_exports = broken  # type: ignore[method-assign]
    reports = [night(house), night(house)]
    assert [one.errors for one in reports] == [("ConnectionError",)] * 2
    assert reports[1].users_deleted == 1


def test_when_time_is_up_the_rest_waits_for_the_next_night() -> None:
    house = house_left("가", "나")
    night(house)
    house.belongings.after_page = lambda: house.clock.pass_time(300)
    assert not night(house).finished
    house.belongings.after_page = lambda: None
    night(house)
    night(house)
    assert house.of("가") == house.of("나") == []
