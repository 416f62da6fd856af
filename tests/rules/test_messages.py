"""users/{uid}/threads/{soul_id}/messages: what an owner may write, and how they may read it."""

from typing import Any
from uuid import uuid4

import pytest

from tests.rules.cases import load_documents, load_edits, load_ids, of_user, valid_document
from tests.rules.rest import Document, Emulator, Owner, Status

pytestmark = pytest.mark.firestore

DOCUMENTS = load_documents("messages.yaml")
EDITS = load_edits()
IDS = load_ids()
VALID = valid_document("messages.yaml")
NEWEST_FIRST = [
    {"field": {"fieldPath": "created_at"}, "direction": "DESCENDING"},
    {"field": {"fieldPath": "__name__"}, "direction": "DESCENDING"},
]


@pytest.fixture
def messages(owner: Owner) -> str:
    """A collection that nobody has written to."""
    return f"{owner.root}/threads/{uuid4().hex}/messages"


@pytest.mark.parametrize(("document", "status"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_message_has_its_fields_and_something_to_read_or_see(
    owner: Owner, messages: str, document: Document, status: Status
) -> None:
    written = of_user(document, owner.uid)
    assert owner.client.create(f"{messages}/{uuid4().hex}", written) == status


@pytest.mark.parametrize(("message_id", "status"), IDS.values(), ids=IDS)
def test_a_message_id_is_bounded_and_visible(
    owner: Owner, messages: str, message_id: str, status: Status
) -> None:
    assert owner.client.create(f"{messages}/{message_id}", VALID) == status


@pytest.mark.parametrize(("soul_id", "status"), IDS.values(), ids=IDS)
def test_a_message_needs_a_thread_id_that_a_thread_could_have(
    owner: Owner, soul_id: str, status: Status
) -> None:
    path = f"{owner.root}/threads/{soul_id}/messages/{uuid4().hex}"
    assert owner.client.create(path, VALID) == status


def test_a_message_is_written_once(owner: Owner, messages: str) -> None:
    path = f"{messages}/{uuid4().hex}"
    assert owner.client.set(path, VALID) == "OK"
    assert owner.client.set(path, VALID) == "PERMISSION_DENIED"
    assert owner.client.create(path, VALID) == "ALREADY_EXISTS"


@pytest.mark.parametrize(("stored", "changes", "status"), EDITS.values(), ids=EDITS)
def test_an_owner_edits_the_words_of_a_message_of_theirs(  # noqa: PLR0917
    emulator: Emulator,
    owner: Owner,
    messages: str,
    stored: Document,
    changes: Document,
    status: Status,
) -> None:
    path = f"{messages}/{uuid4().hex}"
    assert emulator.backend().set(path, of_user(stored, owner.uid)) == "OK"
    assert owner.client.update(path, of_user(changes, owner.uid)) == status


def test_an_owner_deletes_a_message_of_either_role(owner: Owner, messages: str) -> None:
    for role in ("user", "soul"):
        path = f"{messages}/{uuid4().hex}"
        assert owner.client.create(path, {**VALID, "role": role}) == "OK"
        assert owner.client.delete(path) == "OK"
        assert owner.client.get(path) == "NOT_FOUND"


@pytest.mark.parametrize(
    "query",
    [{}, {"orderBy": NEWEST_FIRST}, {"orderBy": NEWEST_FIRST, "limit": 50}],
    ids=["all", "all in order", "the last 50"],
)
def test_an_owner_lists_a_chat_with_or_without_a_bound(
    owner: Owner, messages: str, query: dict[str, Any]
) -> None:
    assert owner.client.list(messages, **query) == "OK"
    assert owner.client.count(messages) == "OK"


def test_nobody_lists_the_messages_of_every_chat(owner: Owner) -> None:
    assert owner.client.list_group("messages") == "PERMISSION_DENIED"
