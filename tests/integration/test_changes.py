"""How far the change of a message is, on the emulator."""

from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.changes import FirestoreChanges
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from shared.errors import StaleClaimError
from shared.forgetting.change_ports import Begun, Settlement
from shared.model.thread import ThreadKey

pytestmark = pytest.mark.firestore

CHANGE = "m1.deleted.1"
FOUND = Begun(lines=frozenset({"키우는 강아지: 콩이", "{user}가 걱정했다."}))


@pytest.fixture
def key() -> ThreadKey:
    return ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)


def test_what_was_begun_goes_when_the_change_is_settled(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes, memory = FirestoreChanges(client), FirestoreMemory(client)
    assert changes.read_begun(key, CHANGE) == Begun()
    changes.begin(key, CHANGE, FOUND)
    begun = changes.read_begun(key, CHANGE)
    assert begun.lines == FOUND.lines
    assert not changes.is_settled(key, CHANGE)
    for _ in range(2):
        read = memory.read_cycle(key, None)
        changes.settle(key, read, Settlement(change_id=CHANGE, state=read.state))
        assert changes.is_settled(key, CHANGE)
    stored = Paths(client).change(key, CHANGE).get().to_dict()
    assert list(stored or {}) == ["settled_at"]
    with pytest.raises(StaleClaimError):
        changes.begin(key, CHANGE, begun)


def test_two_attempts_do_not_overwrite_what_the_other_found(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes = FirestoreChanges(client)
    changes.begin(key, CHANGE, FOUND)
    with pytest.raises(StaleClaimError):
        changes.begin(key, CHANGE, Begun(lines=frozenset({"하나뿐"})))
    begun = changes.read_begun(key, CHANGE)
    more = begun.model_copy(update={"lines": begun.lines | {"하나 더"}})
    changes.begin(key, CHANGE, more)
    assert changes.read_begun(key, CHANGE).lines == FOUND.lines | {"하나 더"}


def test_a_settlement_that_comes_twice_writes_once(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes, memory = FirestoreChanges(client), FirestoreMemory(client)
    read = memory.read_cycle(key, None)
    settlement = Settlement(change_id=CHANGE, state=read.state)
    changes.settle(key, read, settlement)
    fence = Paths(client).state(key).get().update_time
    changes.settle(key, read, settlement)
    assert Paths(client).state(key).get().update_time == fence
    with pytest.raises(StaleClaimError):
        changes.settle(key, read, Settlement(change_id="m2.deleted.1", state=read.state))
