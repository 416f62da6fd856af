"""What a trigger does with a document that came after its user's data was deleted."""

from typing import Any

import pytest

from functions.triggers import late_writes_cleared, named_by_its_data
from shared.errors import StaleClaimError, UserGoneError
from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from tests.unit.leaving.house import House

UID = "소라"


def left() -> House:
    """A house whose only user has left, and to whom a letter has come since."""
    house = House(UID)
    delete_my_data(DeleteMyData(uid=UID), ports=house.ports)
    house.belongings.paths.add(f"users/{UID}/threads/소희/messages/늦은말")
    return house


def test_it_is_deleted_again() -> None:
    house = left()
    with late_writes_cleared(UID, house.ports):
        raise UserGoneError
    assert house.of(UID) == []


def test_another_workers_claim_deletes_nothing() -> None:
    house = left()
    with pytest.raises(StaleClaimError), late_writes_cleared(UID, house.ports):
        raise StaleClaimError("moved on")
    assert house.of(UID) != []


def test_nor_does_work_that_went_well() -> None:
    house = left()
    with late_writes_cleared(UID, house.ports):
        pass
    assert house.of(UID) != []


class EmptyEvent(dict[str, object]):
    """What the emulator sends when a document is deleted that was not there."""

    def get_data(self) -> bytes:
        return b""


def test_an_event_of_no_document_is_acknowledged() -> None:
    @named_by_its_data
    def handler(raw: Any) -> None:
        raise AssertionError("there is nothing to handle")

    handler(EmptyEvent())
