"""The Firestore adapters on the real emulator; each test has a thread of its own."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.thread import ThreadKey

pytestmark = pytest.mark.firestore


@pytest.fixture(scope="session")
def client(firestore_host: str) -> Iterator[firestore.Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIRESTORE_EMULATOR_HOST", firestore_host)
        yield firestore.Client(project="demo-soul-memory")


@pytest.fixture
def key() -> ThreadKey:
    return ThreadKey(uid=uuid4().hex, soul_id="sohee")


@pytest.fixture
def threads(client: firestore.Client) -> FirestoreThreads:
    return FirestoreThreads(client)


@pytest.fixture
def memory(client: firestore.Client) -> FirestoreMemory:
    return FirestoreMemory(client)


@pytest.fixture
def commits_sent_twice(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on, the client sends each commit again, as after an answer that was lost."""
    commit = firestore.WriteBatch.commit

    def sent_twice(batch: Any, *args: Any, **kwargs: Any) -> Any:
        writes = list(batch._write_pbs)
        commit(batch, *args, **kwargs)
        batch._write_pbs = writes
        return commit(batch, *args, **kwargs)

    return lambda: monkeypatch.setattr(firestore.WriteBatch, "commit", sent_twice)
