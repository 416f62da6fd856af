"""Counting and reading messages, on the emulator."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from google.api_core.exceptions import FailedPrecondition
from google.cloud import firestore

from functions.adapters.firestore.threads import FirestoreThreads
from shared.errors import DocumentNotFoundError
from shared.model.thread import Counter, Message, ThreadKey
from shared.ports import Versioned
from tests.factories import image_message, message

pytestmark = pytest.mark.firestore


def messages_of(client: firestore.Client, key: ThreadKey) -> Any:
    return client.collection("users", key.uid, "threads", key.soul_id, "messages")


def write(client: firestore.Client, key: ThreadKey, one: Message) -> Versioned:
    body = one.model_dump(include={"role", "text", "created_at", "image"}, exclude_none=True)
    reference = messages_of(client, key).document(one.message_id)
    return Versioned(message=one, version=reference.set(body).update_time)


def test_counting_marks_the_message_and_moves_the_counter(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    first, second = (write(client, key, message(n)) for n in range(2))
    assert threads.count_tokens(key, first, 7).counter == Counter(
        pending_tokens=7, pending_messages=1
    )
    counted = threads.count_tokens(key, second, 5)
    assert (counted.newly, counted.counter.pending_tokens) == (True, 12)
    assert messages_of(client, key).document("m00001").get().get("token_count") == 5


def test_an_image_is_read_as_it_was_written(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    written = [image_message(0, uid=key.uid), message(1)]
    for one in written:
        write(client, key, one)
    assert list(threads.latest_messages(key, None, limit=5)) == written


def test_a_second_delivery_changes_nothing(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    one = write(client, key, message(0))
    threads.count_tokens(key, one, 7)
    again = threads.count_tokens(key, one, 7)
    assert (again.newly, again.counter.pending_tokens) == (False, 7)
    assert threads.read_counter(key) == Counter(pending_tokens=7, pending_messages=1)


def test_a_message_that_changed_meanwhile_is_still_counted(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    one = write(client, key, message(0))
    messages_of(client, key).document("m00000").update({"seen": True})
    assert threads.count_tokens(key, one, 7).newly


def test_a_message_that_is_gone_is_not_counted(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    one = write(client, key, message(0))
    messages_of(client, key).document("m00000").delete()
    assert not threads.count_tokens(key, one, 7).newly
    assert threads.read_counter(key) == Counter()


def test_a_commit_whose_answer_is_lost_is_not_counted_twice(
    client: firestore.Client,
    threads: FirestoreThreads,
    key: ThreadKey,
    commits_sent_twice: Callable[[], None],
) -> None:
    one = write(client, key, message(0))
    commits_sent_twice()
    with pytest.raises(FailedPrecondition):
        threads._mark(key, write(client, key, message(1)), 5)
    threads.count_tokens(key, one, 7)
    assert threads.read_counter(key) == Counter(pending_tokens=12, pending_messages=2)


def test_messages_come_in_order_of_time_and_id(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    same = message(3).created_at
    for name in ("b", "a", "c"):
        write(client, key, message(3).model_copy(update={"message_id": name, "created_at": same}))
    for number in (5, 1, 4):
        write(client, key, message(number))
    until = message(4).created_at
    found = threads.messages_from(key, None, until=until, limit=10)
    assert [one.message.message_id for one in found] == ["m00001", "a", "b", "c", "m00004"]
    start = found[2].message.ref
    assert [
        one.message.message_id for one in threads.messages_from(key, start, until=until, limit=2)
    ] == ["b", "c"]
    latest = threads.latest_messages(key, start, limit=10)
    assert [one.message_id for one in latest] == ["b", "c", "m00004", "m00005"]
    assert [one.message_id for one in threads.latest_messages(key, None, limit=2)] == [
        "m00004",
        "m00005",
    ]
    assert threads.count_messages_from(key, start) == 4
    assert threads.count_messages_from(key, None) == 6


def test_a_versioned_message_can_be_counted(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    write(client, key, message(0))
    until = message(0).created_at + timedelta(hours=1)
    (found,) = threads.messages_from(key, None, until=until, limit=1)
    assert threads.count_tokens(key, found, 3).newly


def test_a_document_that_is_no_message_is_passed_over(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    write(client, key, message(0))
    messages_of(client, key).document("x").set({"created_at": message(1).created_at, "role": "dog"})
    assert [one.message_id for one in threads.latest_messages(key, None, limit=9)] == ["m00000"]


def test_memory_status(client: firestore.Client, threads: FirestoreThreads, key: ThreadKey) -> None:
    assert threads.read_thread(key) is None
    with pytest.raises(DocumentNotFoundError):
        threads.set_memory_status(key, "empty")
    client.document("users", key.uid, "threads", key.soul_id).set(
        {"created_at": firestore.SERVER_TIMESTAMP}
    )
    found = threads.read_thread(key)
    assert found is not None
    assert found.memory_status == "pending"
    threads.set_memory_status(key, "empty")
    again = threads.read_thread(key)
    assert again is not None
    assert (again.memory_status, again.created_at) == ("empty", found.created_at)
