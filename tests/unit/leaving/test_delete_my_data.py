"""All that is a user's goes, from wherever the last attempt ended, and stays gone."""

from datetime import datetime, timedelta

from shared.leaving.clear_late_writes import ClearLateWrites, clear_late_writes
from shared.leaving.delete_my_data import DataDeleted, DeleteMyData, delete_my_data
from shared.model.deletion import Deletion
from shared.settings import Settings
from tests.factories import NOW
from tests.unit.leaving.house import PAGE, House

UID, OTHER = "소라", "소라2"


def delete(house: House, **more: float) -> DataDeleted:
    return delete_my_data(DeleteMyData(uid=UID), ports=house.ports, **more)


def test_everything_goes_and_nobody_elses() -> None:
    house = House(UID, OTHER)
    others = house.of(OTHER)
    done = delete(house)
    assert house.of(UID) == []
    assert house.of(OTHER) == others
    assert (done.finished, done.documents, done.files) == (True, 11, 2)
    assert house.deletions.stones == {
        UID: Deletion(
            reason="asked",
            started_at=NOW,
            finished_at=NOW,
            look_at=NOW + timedelta(days=1),
            documents=11,
            files=2,
        )
    }


def test_the_tombstone_stands_before_anything_goes() -> None:
    house = House(UID)
    seen: list[bool] = []
    house.belongings.after_page = lambda: seen.append(UID in house.deletions.stones)
    delete(house)
    assert all(seen)


def test_out_of_time_it_says_so_and_goes_on_when_called_again() -> None:
    house = House(UID)
    house.belongings.after_page = lambda: house.clock.pass_time(30)
    first = delete(house, seconds=50)
    assert (first.finished, first.documents, first.finished_at) == (False, 2 * PAGE, None)
    assert house.deletions.stones[UID].documents == 2 * PAGE
    house.belongings.after_page = lambda: None
    second = delete(house)
    assert (second.finished, second.documents) == (True, 11)
    assert second.started_at == first.started_at
    assert house.of(UID) == []


def test_what_comes_behind_a_look_is_found_by_the_next() -> None:
    house = House(UID)
    late = [f"users/{UID}/budgets/2026-05-29", f"users/{UID}/threads/소희/cycles/000002"]

    def write_late() -> None:
        if late:
            house.belongings.paths.add(late.pop())

    house.belongings.after_page = write_late
    assert delete(house).documents == 13
    assert house.of(UID) == []


def test_called_again_when_all_is_gone_it_answers_the_same() -> None:
    house = House(UID)
    now = house.clock.now

    def ticking() -> datetime:
        house.clock.pass_time(1)
        return now()

    house.clock.now = ticking  # type: ignore[method-assign]
    first = delete(house)
    house.clock.pass_time(3600)
    assert delete(house) == first


def test_the_account_goes_with_it_only_where_the_setting_says_so() -> None:
    house = House(UID)
    delete(house)
    assert house.accounts.uids == {UID}
    house = House(UID, OTHER, settings=Settings(delete_auth_user=True))
    delete(house)
    assert house.accounts.uids == {OTHER}


def test_the_account_stays_until_all_is_gone() -> None:
    house = House(UID, settings=Settings(delete_auth_user=True))
    house.belongings.after_page = lambda: house.clock.pass_time(100)
    delete(house)
    assert house.accounts.uids == {UID}


def test_what_comes_late_is_cleared_and_looked_for_again_the_next_night() -> None:
    house = House(UID)
    delete(house)
    house.clock.pass_time(timedelta(days=10).total_seconds())
    house.belongings.paths.add(f"users/{UID}/threads/소희/messages/오프라인에서")
    cleared = clear_late_writes(ClearLateWrites(uid=UID), ports=house.ports)
    assert (cleared.documents, house.of(UID)) == (1, [])
    stone = house.deletions.stones[UID]
    assert stone.finished_at == NOW
    assert stone.look_at == house.clock.now() + timedelta(days=1)


def test_without_a_tombstone_nothing_is_cleared() -> None:
    house = House(UID)
    before = house.of(UID)
    assert clear_late_writes(ClearLateWrites(uid=UID), ports=house.ports).documents == 0
    assert house.of(UID) == before
