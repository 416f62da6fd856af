"""The reckoning of a stored thread, read from the database itself."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from google.cloud.firestore import DocumentReference

from tools.emulators import PROJECT_ID
from tools.thread_report import ThreadReader, admin_client

pytestmark = pytest.mark.firestore

START = datetime(2026, 5, 28, tzinfo=UTC)
CONSUMED, PENDING, TOKENS = 3, 2, 7


@pytest.fixture
def stored(firestore_host: str) -> tuple[ThreadReader, DocumentReference]:
    """A thread of five messages of which one cycle has consumed three."""
    client = admin_client(PROJECT_ID, firestore_host)
    uid = f"report-{uuid4().hex[:12]}"
    thread = client.document("users", uid, "threads", "sohee")
    for number in range(CONSUMED + PENDING):
        body = {"role": "user", "text": "응", "created_at": at(number), "token_count": TOKENS}
        thread.collection("messages").document(f"m{number}").set(body)
    bounds = {"first": ref(0), "last": ref(CONSUMED - 1), "window_start": ref(0)}
    cycle = {
        "kind": "summary",
        "status": "applied",
        "requested_at": START,
        "consumed": {**bounds, "count": CONSUMED, "tokens": CONSUMED * TOKENS},
    }
    thread.collection("cycles").document("000001").set(cycle)
    state = thread.collection("state")
    state.document("memory").set({"generation": 1, "cursor": ref(CONSUMED - 1)})
    counter = {"pending_messages": PENDING, "pending_tokens": PENDING * TOKENS}
    state.document("counter").set(counter)
    return ThreadReader(client, uid, "sohee"), thread


def at(number: int) -> datetime:
    return START + timedelta(seconds=number)


def ref(number: int) -> dict[str, object]:
    return {"created_at": at(number), "message_id": f"m{number}"}


def test_a_thread_in_order_adds_up(stored: tuple[ThreadReader, DocumentReference]) -> None:
    reader, _ = stored
    report, standing = reader.report(sent=5), reader.look()
    assert report.accounts.balanced
    assert (report.accounts.tokens, report.summary_cycles) == (35, 1)
    assert (standing.counted_messages, standing.counted_tokens) == (5, 35)
    assert standing.is_quiet(sent=5, trigger=15)
    assert not standing.is_quiet(sent=5, trigger=14)


@pytest.mark.parametrize("message_id", ["m0", "m4"])
def test_a_message_that_is_gone_shows(
    stored: tuple[ThreadReader, DocumentReference], message_id: str
) -> None:
    reader, thread = stored
    thread.collection("messages").document(message_id).delete()
    assert reader.report(sent=5).accounts.lost == 1


def test_a_message_that_nobody_counted_shows(
    stored: tuple[ThreadReader, DocumentReference],
) -> None:
    reader, thread = stored
    body = {"role": "soul", "text": "네", "created_at": at(9)}
    thread.collection("messages").document("m9").set(body)
    assert not reader.look().is_quiet(sent=6, trigger=100)
    assert reader.report(sent=6).accounts.lost == 1


def test_a_thread_that_does_not_exist_has_nothing(
    stored: tuple[ThreadReader, DocumentReference], firestore_host: str
) -> None:
    reader = ThreadReader(admin_client(PROJECT_ID, firestore_host), f"none-{uuid4().hex}", "sohee")
    assert reader.report(sent=0).accounts.balanced
    assert reader.look().newest_cycle == "there is no cycle yet"
