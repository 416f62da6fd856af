"""users/{uid}/threads: what an owner may write. One thread per (user, soul)."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from tests.rules.cases import load_documents, load_ids, valid_document
from tests.rules.rest import SERVER_TIME, Document, Owner, Status

pytestmark = pytest.mark.firestore

DOCUMENTS = load_documents("threads.yaml")
IDS = load_ids()
VALID = valid_document("threads.yaml")


@pytest.fixture
def thread(owner: Owner) -> str:
    """The path of a thread that does not exist yet."""
    return f"{owner.root}/threads/{uuid4().hex}"


@pytest.mark.parametrize(("document", "status"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_thread_has_its_server_time_alone(
    owner: Owner, thread: str, document: Document, status: Status
) -> None:
    assert owner.client.create(thread, document) == status


@pytest.mark.parametrize(("soul_id", "status"), IDS.values(), ids=IDS)
def test_a_thread_id_is_bounded_and_visible(owner: Owner, soul_id: str, status: Status) -> None:
    assert owner.client.create(f"{owner.root}/threads/{soul_id}", VALID) == status


def test_a_second_thread_with_the_same_soul_is_refused(owner: Owner, thread: str) -> None:
    assert owner.client.set(thread, VALID) == "OK"
    assert owner.client.set(thread, VALID) == "PERMISSION_DENIED"
    assert owner.client.create(thread, VALID) == "ALREADY_EXISTS"


@pytest.mark.parametrize(
    "changes",
    [
        {"created_at": datetime(2020, 1, 1, tzinfo=UTC)},
        {"created_at": SERVER_TIME},
        {"memory_status": "pending"},
        {"title": "하나와의 대화"},
        {},
    ],
    ids=str,
)
def test_no_field_of_a_thread_changes(owner: Owner, thread: str, changes: Document) -> None:
    assert owner.client.create(thread, VALID) == "OK"
    assert owner.client.update(thread, changes) == "PERMISSION_DENIED"


def test_nobody_lists_the_threads_of_every_user(owner: Owner) -> None:
    assert owner.client.list_group("threads") == "PERMISSION_DENIED"
