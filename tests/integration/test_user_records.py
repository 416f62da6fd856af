"""What an export reads, on the emulator: whole, in order, and of one user alone."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from google.cloud import firestore

from functions.adapters.firestore import user_records
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.user_records import FirestoreUserRecords
from shared.exporting.export_ports import BudgetDay
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport
from shared.model.reply import LiveReply
from shared.model.slots import Slot
from shared.model.thread import Thread, ThreadKey
from tests.factories import NOW, image_message, message, play

pytestmark = pytest.mark.firestore


@pytest.fixture(autouse=True)
def short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MESSAGES", "PAGE", "LARGE"):
        monkeypatch.setattr(user_records, name, 3)


@pytest.fixture
def records(client: firestore.Client) -> FirestoreUserRecords:
    return FirestoreUserRecords(client)


@pytest.fixture
def amiss() -> Iterator[list[str]]:
    """The documents that did not read; none, where a test does not say otherwise."""
    found: list[str] = []
    yield found
    assert found == []


def entry(index: int) -> LorebookEntry:
    return LorebookEntry(
        title=f"현상소 {index}",
        keywords=("필름",),
        occurred_at="(시간 불명)",
        record="소희가 필름을 맡겼다.",
        cycle_id="000001",
        index=index,
        created_at=NOW,
    )


def test_messages_come_in_order_over_the_bounds_of_pages(
    client: firestore.Client, records: FirestoreUserRecords, key: ThreadKey, amiss: list[str]
) -> None:
    at_once = [message(n).model_copy(update={"created_at": NOW}) for n in range(20, 27)]
    newest = message(0).model_copy(update={"message_id": "a", "created_at": NOW + timedelta(1)})
    said = [
        *(message(number) for number in range(7)),
        image_message(8, uid=key.uid),
        *at_once,
        newest,
    ]
    for one in reversed(said):
        body = one.model_dump(exclude={"message_id"})
        Paths(client).messages(key).document(one.message_id).set(body)
    assert list(records.messages(key, amiss.append)) == said
    other = ThreadKey(uid=f"{key.uid}2", soul_id=key.soul_id)
    assert list(records.messages(other, amiss.append)) == []


def test_memory_is_read_as_it_is_stored(
    client: firestore.Client, records: FirestoreUserRecords, key: ThreadKey, amiss: list[str]
) -> None:
    paths = Paths(client)
    slot = Slot(content="- 필름을 맡겼다.", version=2, cycle_id="000002", updated_at=NOW)
    paths.slot(key, "recent_context").set(slot.model_dump())
    entries = [entry(index) for index in range(5)]
    for one in entries:
        paths.lorebook(key).document(one.entry_id).set(one.model_dump())
    withdrawn = entry(9)
    paths.under(key, "withdrawn_entries").document(withdrawn.entry_id).set(
        {**withdrawn.model_dump(), "withdrawn_at": NOW}
    )
    cycles = [
        Cycle(cycle_id=f"{number:06d}", kind="summary", status="applied", requested_at=NOW)
        for number in range(1, 6)
    ]
    for cycle in cycles:
        paths.cycle(key, cycle.cycle_id).set(cycle.model_dump(exclude={"cycle_id"}))
    assert records.slots(key, amiss.append) == {"recent_context": slot}
    assert list(records.lorebook(key, amiss.append)) == entries
    assert list(records.withdrawn_entries(key, amiss.append)) == [withdrawn]
    assert list(records.cycles(key, amiss.append)) == cycles


def test_chats_are_found_also_without_a_document_of_their_own(
    client: firestore.Client, records: FirestoreUserRecords, key: ThreadKey, amiss: list[str]
) -> None:
    for number in range(7):
        of = ThreadKey(uid=key.uid, soul_id=f"소울{number}")
        Paths(client).messages(of).document("m1").set({"text": "안녕"})
    Paths(client).thread(key).set({"created_at": NOW, "memory_status": "ready"})
    names = [f"소울{number}" for number in range(7)]
    assert sorted(records.soul_ids(key.uid)) == sorted([*names, "sohee"])
    assert records.thread(key, amiss.append) == Thread(created_at=NOW, memory_status="ready")


def test_plays_live_documents_and_days(
    client: firestore.Client, records: FirestoreUserRecords, key: ThreadKey, amiss: list[str]
) -> None:
    played = [play(f"p{number}") for number in range(4)]
    for one in played:
        reference = Paths(client).plays(key.uid).document(one.play_id)
        reference.set(one.model_dump(exclude={"play_id"}))
        for index in (1, 0, 2, 3):
            body = {"index": index, "text": f"{index}째"}
            reference.collection("summaries").document(f"a{9 - index}").set(body)
            reference.collection("scenes").document(f"a{9 - index}").set(body)
    day = {"calls": 2, "tokens": 900, "replies": 3, "later": "something else"}
    Paths(client).budgets(key.uid).document("2026-05-28").set(day)
    times = {"requested_at": NOW, "expires_at": NOW + timedelta(seconds=90)}
    live = {"status": "done", "request_id": "r1", "generation_id": "g1", **times}
    Paths(client).live_reply(key).set(live)
    loaded = LiveImport(status="running", request_id="r2", requested_at=NOW, waiting_since=NOW)
    Paths(client).live_import(key).set(loaded.model_dump())
    assert list(records.plays(key.uid, amiss.append)) == played
    for parts in (records.summaries, records.scenes):
        read: Any = parts(key.uid, "p2", amiss.append)
        assert [one.text for one in read] == ["0째", "1째", "2째", "3째"]
    assert list(records.budgets(key.uid, amiss.append)) == [
        BudgetDay(day="2026-05-28", calls=2, tokens=900, replies=3)
    ]
    given = records.live(key, amiss.append)
    assert given == {"reply": LiveReply.model_validate(live), "import": loaded}


def test_what_does_not_read_is_named_and_stops_nothing(
    client: firestore.Client, records: FirestoreUserRecords, key: ThreadKey
) -> None:
    messages = Paths(client).messages(key)
    messages.document("m1").set({"role": "nobody", "text": "x", "created_at": NOW})
    messages.document("m2").set(message(2).model_dump(exclude={"message_id"}))
    found: list[str] = []
    assert [one.message_id for one in records.messages(key, found.append)] == ["m2"]
    assert found == [messages.document("m1").path]
