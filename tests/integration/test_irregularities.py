"""Looking across all threads for what was lost, on the emulator."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.breaker import FirestoreBreaker
from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.thread import ThreadKey
from shared.summarizing import states
from shared.sweeping.sweep_ports import Bookmark, Position
from tests.bench.operations import counted
from tests.factories import NOW, message

pytestmark = pytest.mark.firestore


@pytest.fixture
def own(client: firestore.Client) -> firestore.Client:
    """A database of one's own, since these looks go across everybody's threads."""
    return firestore.Client(project=f"demo-{uuid4().hex[:12]}")


def write(client: firestore.Client, key: ThreadKey, numbers: range, at: datetime) -> None:
    batch = client.batch()
    messages = Paths(client).messages(key)
    for number in numbers:
        body = message(number).model_dump(include={"role", "text"})
        batch.set(messages.document(f"m{number:05d}"), {**body, "created_at": at})
    batch.commit()


def thread(number: int) -> ThreadKey:
    return ThreadKey(uid=f"u{number}", soul_id="sohee")


def test_uncounted_messages_are_found_among_many(own: firestore.Client) -> None:
    threads, look = FirestoreThreads(own), FirestoreIrregularities(own)
    for number in range(4):
        write(own, thread(number), range(100), NOW + timedelta(minutes=number))
    until = NOW + timedelta(hours=1)
    for number in range(4):
        for one in threads.messages_from(thread(number), None, until=until, limit=200):
            if (number, one.message.message_id) not in {(0, "m00003"), (2, "m00050")}:
                threads.count_tokens(thread(number), one, 1)
    with counted() as operations:
        found = look.uncounted_messages(NOW, until, limit=10)
    lost = sorted((one.thread.uid, one.message.message.message_id) for one in found.items)
    assert lost == [("u0", "m00003"), ("u2", "m00050")]
    assert found.until == until
    assert operations.reads < 260
    (again,) = [one for one in found.items if one.thread.uid == "u0"]
    assert threads.count_tokens(again.thread, again.message, 1).newly
    with counted() as quiet:
        assert look.uncounted_messages(NOW + timedelta(minutes=3), until, limit=10).items == []
    assert quiet.round_trips == 2


def test_a_look_that_is_full_says_how_far_it_came(own: firestore.Client) -> None:
    look = FirestoreIrregularities(own)
    for number in range(3):
        write(own, thread(number), range(80), NOW + timedelta(minutes=number))
    until = NOW + timedelta(hours=1)
    first = look.uncounted_messages(NOW, until, limit=80)
    assert len(first.items) >= 80
    assert first.until < until
    rest = look.uncounted_messages(first.until, until, limit=999)
    assert len(first.items) + len(rest.items) == 240


def test_threads_that_were_never_seeded(own: firestore.Client) -> None:
    look, paths = FirestoreIrregularities(own), Paths(own)
    for number in range(3):
        body: dict[str, Any] = {"created_at": NOW}
        paths.thread(thread(number)).set(body | ({"memory_status": "ready"} if number else {}))
    found = look.unseeded_threads(NOW, NOW + timedelta(seconds=1), limit=10)
    assert [one.thread for one in found.items] == [thread(0)]


def test_stalled_cycles_in_pages(own: firestore.Client) -> None:
    memory, look = FirestoreMemory(own), FirestoreIrregularities(own)
    for number in range(5):
        key = thread(number)
        read = memory.read_cycle(key, None)
        change = states.ask(read, kind="summary", now=NOW + timedelta(minutes=number))
        assert change is not None
        memory.commit(key, read, change)
    before = NOW + timedelta(minutes=3)
    first = look.stalled_cycles(before, after=None, limit=3)
    assert [one.thread.uid for one in first.items] == ["u0", "u1", "u2"]
    assert first.items[0].cycle.status == "queued"
    rest = look.stalled_cycles(before, after=first.after, limit=3)
    assert [one.thread.uid for one in rest.items] == ["u3"]
    assert rest.after is None


def test_due_threads_in_pages(own: firestore.Client) -> None:
    look, paths = FirestoreIrregularities(own), Paths(own)
    for number in range(5):
        paths.counter(thread(number)).set({"pending_tokens": number, "pending_messages": 1})
    first = look.due_threads(2, after=None, limit=2)
    assert [key.uid for key in first.items] == ["u2", "u3"]
    rest = look.due_threads(2, after=first.after, limit=2)
    assert [key.uid for key in rest.items] == ["u4"]


def test_the_bookmark_comes_back_as_it_was(own: firestore.Client) -> None:
    look = FirestoreIrregularities(own)
    assert look.read_bookmark() == Bookmark()
    bookmark = Bookmark(
        messages_until=NOW,
        cycles_after=Position(value=NOW, path="users/u/threads/s/cycles/000001"),
        due_after=Position(value=7, path="users/u/threads/s/state/counter"),
    )
    look.write_bookmark(bookmark)
    assert look.read_bookmark() == bookmark


def test_the_breaker_opens_probes_and_closes(own: firestore.Client) -> None:
    breaker = FirestoreBreaker(own)
    for _ in range(3):
        assert breaker.admits()
        breaker.record(configured=False)
    assert breaker.is_open()
    assert not breaker.admits()
    breaker.grant_probe()
    assert [FirestoreBreaker(own).admits() for _ in range(2)] == [True, False]
    breaker.record(configured=False)
    assert not breaker.admits()
    breaker.grant_probe()
    assert breaker.admits()
    breaker.record(configured=True)
    assert not breaker.is_open()
    assert breaker.admits()


def test_two_failures_and_a_success_start_anew(own: firestore.Client) -> None:
    breaker = FirestoreBreaker(own)
    for configured in (False, False, True, False, False):
        assert breaker.admits()
        breaker.record(configured=configured)
    assert not breaker.is_open()
