"""How far the change of a message is, on the emulator."""

from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.changes import FirestoreChanges
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from shared.errors import StaleClaimError
from shared.forgetting.change_ports import ChangeRecord, Settlement
from shared.model.thread import ThreadKey

pytestmark = pytest.mark.firestore

CHANGE = "m1.deleted.1"
FOUND = frozenset({"키우는 강아지: 콩이", "{user}가 걱정했다."})


@pytest.fixture
def key() -> ThreadKey:
    return ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)


def settled(client: firestore.Client, key: ThreadKey, record: ChangeRecord) -> None:
    """Settle the change on the fence as it is now."""
    read = FirestoreMemory(client).read_cycle(key, None)
    settlement = Settlement(change_id=CHANGE, record=record, state=read.state)
    FirestoreChanges(client).settle(key, read, settlement)


def test_what_was_found_goes_when_the_change_is_settled(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes = FirestoreChanges(client)
    record = changes.read_change(key, CHANGE)
    assert record == ChangeRecord()
    begun = changes.begin(key, CHANGE, record.model_copy(update={"lines": FOUND}))
    assert changes.read_change(key, CHANGE) == begun
    assert (begun.settled, begun.lines) == (False, FOUND)
    settled(client, key, begun)
    assert changes.read_change(key, CHANGE).settled
    stored = Paths(client).change(key, CHANGE).get().to_dict()
    assert list(stored or {}) == ["settled_at"]
    with pytest.raises(StaleClaimError):
        changes.begin(key, CHANGE, begun)


def test_two_attempts_do_not_overwrite_what_the_other_found(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes = FirestoreChanges(client)
    begun = changes.begin(key, CHANGE, ChangeRecord(lines=FOUND))
    with pytest.raises(StaleClaimError):
        changes.begin(key, CHANGE, ChangeRecord(lines=frozenset({"하나뿐"})))
    more = begun.model_copy(update={"lines": begun.lines | {"하나 더"}})
    changes.begin(key, CHANGE, more)
    assert changes.read_change(key, CHANGE).lines == FOUND | {"하나 더"}


@pytest.mark.parametrize("has_begun", [False, True])
def test_of_two_attempts_that_began_alike_one_settles(
    has_begun: bool, client: firestore.Client, key: ThreadKey
) -> None:
    """The second reads the fence only after the first has written it."""
    record = ChangeRecord()
    if has_begun:
        record = FirestoreChanges(client).begin(key, CHANGE, ChangeRecord(lines=FOUND))
    settled(client, key, record)
    fence = Paths(client).state(key).get().update_time
    settled(client, key, record)
    assert Paths(client).state(key).get().update_time == fence


def test_a_fence_that_has_moved_refuses_a_settlement(
    client: firestore.Client, key: ThreadKey
) -> None:
    changes, read = FirestoreChanges(client), FirestoreMemory(client).read_cycle(key, None)
    settled(client, key, ChangeRecord())
    late = Settlement(change_id="m2.deleted.1", record=ChangeRecord(), state=read.state)
    with pytest.raises(StaleClaimError):
        changes.settle(key, read, late)
