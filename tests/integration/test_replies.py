"""Replies on the emulator: one at a time, and a turn in one commit."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from google.api_core.exceptions import Aborted
from google.cloud import firestore

from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.threads import FirestoreThreads
from shared.errors import StaleClaimError
from shared.model.reply import Bubble, LiveReply
from shared.model.thread import Counter, Message, ThreadKey
from shared.replying.reply_ports import HeldReply
from tests.factories import NOW
from tests.integration.test_threads import write

pytestmark = pytest.mark.firestore

DAY = "2026-05-28"


@pytest.fixture
def replies(client: firestore.Client) -> FirestoreReplies:
    return FirestoreReplies(client)


def writing(generation_id: str) -> LiveReply:
    return LiveReply(
        status="writing",
        request_id=f"r-{generation_id}",
        generation_id=generation_id,
        requested_at=NOW,
        expires_at=NOW + timedelta(seconds=90),
    )


def done(held: HeldReply, *texts: str) -> tuple[LiveReply, list[Bubble]]:
    bubbles = [
        Bubble(message_id=f"{held.reply.generation_id}-{number:02d}", text=text)
        for number, text in enumerate(texts)
    ]
    ids = tuple(bubble.message_id for bubble in bubbles)
    return held.reply.model_copy(update={"status": "done", "message_ids": ids}), bubbles


def sent(
    replies: FirestoreReplies,
    key: ThreadKey,
    generation_id: str,
    *texts: str,
    replaced: Sequence[Message] = (),
) -> None:
    held, _ = replies.claim(key, replies.read(key), writing(generation_id), day=DAY)
    replies.commit(key, held, *done(held, *texts), replaced=replaced)


def stored(threads: FirestoreThreads, key: ThreadKey) -> list[Message]:
    return list(threads.latest_messages(key, None, limit=50))


def test_a_turn_is_written_in_order_with_its_generation(
    replies: FirestoreReplies, threads: FirestoreThreads, key: ThreadKey
) -> None:
    sent(replies, key, "g1", "하나", "둘", "셋")
    found = stored(threads, key)
    assert [(one.role, one.text, one.generation_id) for one in found] == [
        ("soul", "하나", "g1"),
        ("soul", "둘", "g1"),
        ("soul", "셋", "g1"),
    ]
    live = replies.read(key)
    assert live is not None
    assert (live.reply.status, live.reply.message_ids) == ("done", ("g1-00", "g1-01", "g1-02"))
    assert [one.text for one in replies.read_turn(key, live.reply.message_ids)] == [
        "하나",
        "둘",
        "셋",
    ]


def test_of_two_that_begin_at_once_one_is_refused(
    replies: FirestoreReplies, key: ThreadKey
) -> None:
    nobody = replies.read(key)
    _, asked = replies.claim(key, nobody, writing("g1"), day=DAY)
    with pytest.raises(StaleClaimError):
        replies.claim(key, nobody, writing("g2"), day=DAY)
    assert asked == 1


def test_a_writer_that_was_overtaken_writes_nothing(
    replies: FirestoreReplies, threads: FirestoreThreads, key: ThreadKey
) -> None:
    slow, _ = replies.claim(key, None, writing("g1"), day=DAY)
    _, asked = replies.claim(key, replies.read(key), writing("g2"), day=DAY)
    with pytest.raises(StaleClaimError):
        replies.commit(key, slow, *done(slow, "늦은 답"), replaced=())
    replies.fail(key, slow, slow.reply.model_copy(update={"status": "failed"}))
    assert stored(threads, key) == []
    live = replies.read(key)
    assert live is not None
    assert (live.reply.generation_id, live.reply.status) == ("g2", "writing")
    assert asked == 2


def test_a_commit_whose_answer_is_lost_is_believed(
    replies: FirestoreReplies,
    threads: FirestoreThreads,
    key: ThreadKey,
    commits_sent_twice: Callable[[], None],
) -> None:
    held, _ = replies.claim(key, None, writing("g1"), day=DAY)
    commits_sent_twice()
    replies.commit(key, held, *done(held, "하나"), replaced=())
    assert [one.text for one in stored(threads, key)] == ["하나"]


def test_a_replaced_turn_is_gone_and_its_deletion_is_the_triggers(
    client: firestore.Client,
    replies: FirestoreReplies,
    threads: FirestoreThreads,
    key: ThreadKey,
) -> None:
    sent(replies, key, "g1", "하나", "둘")
    old = stored(threads, key)
    counted = threads.messages_from(key, None, until=old[-1].created_at, limit=5)[0]
    threads.count_tokens(key, counted, 7)
    assert threads.read_counter(key) == Counter(pending_tokens=7, pending_messages=1)
    sent(replies, key, "g2", "새 답", replaced=old)
    assert [one.text for one in stored(threads, key)] == ["새 답"]
    assert threads.read_counter(key) == Counter(pending_tokens=7, pending_messages=1)
    assert list(client.collection(f"users/{key.uid}/threads/{key.soul_id}/changes").stream()) == []
    assert not threads.count_tokens(key, counted, 7).newly


def test_what_somebody_has_answered_is_not_replaced(
    client: firestore.Client,
    replies: FirestoreReplies,
    threads: FirestoreThreads,
    key: ThreadKey,
) -> None:
    sent(replies, key, "g1", "하나")
    old = stored(threads, key)
    held, _ = replies.claim(key, replies.read(key), writing("g2"), day=DAY)
    later = old[-1].created_at + timedelta(seconds=1)
    write(client, key, Message(message_id="u1", role="user", text="정말?", created_at=later))
    with pytest.raises(StaleClaimError):
        replies.commit(key, held, *done(held, "새 답"), replaced=old)
    assert [one.text for one in stored(threads, key)] == ["하나", "정말?"]


def test_a_turn_that_is_written_all_the_time_is_not_replaced(
    client: firestore.Client,
    replies: FirestoreReplies,
    threads: FirestoreThreads,
    key: ThreadKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent(replies, key, "g1", "하나")
    old = stored(threads, key)
    held, _ = replies.claim(key, replies.read(key), writing("g2"), day=DAY)

    def contended(transaction: firestore.Transaction) -> None:
        # Its locks go first, as those of a transaction that Firestore aborts.
        database = {"database": client._database_string, "transaction": transaction._id}
        client._firestore_api.rollback(request=database)
        raise Aborted("too much contention") from None  # type: ignore[no-untyped-call]

    monkeypatch.setattr(firestore.Transaction, "_commit", contended)
    with pytest.raises(StaleClaimError):
        replies.commit(key, held, *done(held, "새 답"), replaced=old)
    assert [one.text for one in stored(threads, key)] == ["하나"]


@pytest.mark.parametrize("where", ["cursor", "lease", "kept"])
def test_what_memory_reads_or_holds_is_not_replaced(
    where: str,
    client: firestore.Client,
    replies: FirestoreReplies,
    threads: FirestoreThreads,
    key: ThreadKey,
) -> None:
    sent(replies, key, "g1", "하나")
    old = stored(threads, key)
    paths = Paths(client)
    ref = old[-1].ref.model_dump()
    if where == "cursor":
        paths.state(key).set({"generation": 1, "cursor": ref})
    elif where == "lease":
        lease = {"cycle_id": "000001", "token": "t", "expires_at": NOW}
        paths.state(key).set({"generation": 0, "lease": lease})
    else:
        paths.cycle(key, "000001").set({"consumed": {"first": ref, "last": ref}})
    with pytest.raises(StaleClaimError):
        sent(replies, key, "g2", "새 답", replaced=old)
    assert [one.text for one in stored(threads, key)] == ["하나"]


def test_what_another_process_wrote_is_found_out_and_read_afresh(
    client: firestore.Client, replies: FirestoreReplies, key: ThreadKey
) -> None:
    sent(replies, key, "g1", "하나")
    sent(FirestoreReplies(client), key, "g2", "둘")
    known = replies.read(key)
    assert known is not None
    assert known.reply.generation_id == "g1"
    with pytest.raises(StaleClaimError):
        replies.claim(key, known, writing("g3"), day=DAY)
    stored_now = replies.read(key, afresh=True)
    assert stored_now is not None
    assert stored_now.reply.generation_id == "g2"
