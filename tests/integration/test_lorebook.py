"""Entries and their packed index, on the emulator."""

import pytest
from google.cloud import firestore

from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from shared.model.thread import ThreadKey
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from shared.recall.rebuild_index import rebuild_index
from tests.unit.recall.test_loading import entry

pytestmark = pytest.mark.firestore


def test_a_rebuilt_index_is_the_one_of_the_entries(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    lorebook, paths = FirestoreLorebook(client), Paths(client)
    entries = [entry(number) for number in range(5)]
    for one in entries:
        paths.lorebook(key).document(one.entry_id).set(one.model_dump())
    assert rebuild_index(key, memory=memory, lorebook=lorebook, embedder=None).entries == 5
    state = memory.read_cycle(key, None).state
    shards = lorebook.read_shards(key, range(state.lorebook_shards))
    stored = RecallIndex.from_shards(shards, entry_count=state.lorebook_entries)
    assert stored == RecallIndex.from_entries(recall_entries_of(entries))


def test_entries_come_by_id_and_all_together(client: firestore.Client, key: ThreadKey) -> None:
    lorebook, paths = FirestoreLorebook(client), Paths(client)
    for number in range(3):
        paths.lorebook(key).document(entry(number).entry_id).set(entry(number).model_dump())
    read = lorebook.read_entries(key, ["000003-000", "000009-000", "000001-000"])
    assert {one.entry_id for one in read} == {"000001-000", "000003-000"}
    assert sorted(one.entry_id for one in lorebook.all_entries(key)) == [
        "000001-000",
        "000002-000",
        "000003-000",
    ]
    assert lorebook.read_shards(key, [0, 1]) == []
