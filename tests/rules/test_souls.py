"""souls/**: the director's, whom a custom claim makes one."""

from uuid import uuid4

import pytest

from tests.rules.rest import Emulator

pytestmark = pytest.mark.firestore


@pytest.mark.parametrize(
    "claim", [False, None, 0, 1, "true", "", [True], {"director": True}], ids=repr
)
def test_only_the_claim_true_makes_a_director(emulator: Emulator, claim: object) -> None:
    user = emulator.user(uuid4().hex, {"director": claim})
    assert user.list("souls") == "PERMISSION_DENIED"
    assert user.create(f"souls/{uuid4().hex}", {"character_ids": []}) == "PERMISSION_DENIED"


def test_a_director_does_not_reach_memory_slots_through_a_collection_group(
    emulator: Emulator,
) -> None:
    """A soul's slots and a thread's memory slots are collections of one name."""
    director = emulator.user(uuid4().hex, {"director": True})
    assert director.list_group("slots") == "PERMISSION_DENIED"


def test_a_bio_that_is_not_there_is_not_found_rather_than_refused(emulator: Emulator) -> None:
    user = emulator.user(uuid4().hex)
    assert user.get(f"souls/{uuid4().hex}/slots/soul_messenger_bio") == "NOT_FOUND"


def test_a_bio_is_got_by_path_and_not_found_by_query(emulator: Emulator) -> None:
    slots = f"souls/{uuid4().hex}/slots"
    bio = f"{slots}/soul_messenger_bio"
    assert emulator.backend().create(bio, {"display_name": "하나", "status": "산책 중"}) == "OK"
    user = emulator.user(uuid4().hex)
    assert user.get(bio) == "OK"
    assert user.list(slots, where=is_named(emulator, bio)) == "PERMISSION_DENIED"


def is_named(emulator: Emulator, path: str) -> dict[str, object]:
    return {
        "fieldFilter": {
            "field": {"fieldPath": "__name__"},
            "op": "EQUAL",
            "value": {"referenceValue": emulator.document_name(path)},
        }
    }
