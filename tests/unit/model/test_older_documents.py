"""What earlier versions stored is read by today's code, every kind of it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from functions.adapters.firestore.codec import decode
from shared.errors import RecallIndexError
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.play import Play, PlaySummary, Scene
from shared.model.reply import LiveReply
from shared.model.slots import DefaultPersona, InitialSituation, MessengerBio, Slot, Soul
from shared.model.thread import Counter, MemoryState, Message, Thread
from shared.recall.index import RecallIndex
from shared.recall.loading import index_from, recall_entries_of
from tests.older.stored import VERSIONS, Documents, read

THREAD = "users/[^/]+/threads/[^/]+"
KINDS: Mapping[str, tuple[type[BaseModel], str]] = {
    r"souls/[^/]+": (Soul, ""),
    r"souls/[^/]+/slots/soul_messenger_bio": (MessengerBio, ""),
    r"souls/[^/]+/slots/soul_default_persona": (DefaultPersona, ""),
    r"souls/[^/]+/slots/chat_initial_situation": (InitialSituation, ""),
    r"users/[^/]+/plays/[^/]+": (Play, "play_id"),
    r"users/[^/]+/plays/[^/]+/summaries/[^/]+": (PlaySummary, ""),
    r"users/[^/]+/plays/[^/]+/scenes/[^/]+": (Scene, ""),
    THREAD: (Thread, ""),
    f"{THREAD}/messages/[^/]+": (Message, "message_id"),
    f"{THREAD}/slots/[^/]+": (Slot, ""),
    f"{THREAD}/lorebook/[^/]+": (LorebookEntry, ""),
    f"{THREAD}/cycles/[^/]+": (Cycle, "cycle_id"),
    f"{THREAD}/state/memory": (MemoryState, ""),
    f"{THREAD}/state/counter": (Counter, ""),
    f"{THREAD}/live/reply": (LiveReply, ""),
}
# Read field by field where they are needed, and not as documents of a shape.
SHAPELESS = re.compile(rf"(users/[^/]+/)?budgets/.*|{THREAD}/lorebook_index/[^/]+")
ABSENT_AT_FIRST = {
    Cycle: {"moved_at", "not_before", "evidence", "content_failures", "set_aside", "expires_at"},
    MemoryState: {"suspects", "turns", "lorebook_entries", "lorebook_shards", "embedding_shards"},
    LorebookEntry: {"kind", "importance", "people", "relations", "secrecy", "turn"},
}


def read_as_models(documents: Documents) -> Iterator[tuple[str, BaseModel]]:
    for path, body in documents.items():
        if SHAPELESS.fullmatch(path):
            continue
        (found,) = [kind for pattern, kind in KINDS.items() if re.fullmatch(pattern, path)]
        model, id_field = found
        ids = {id_field: path.rpartition("/")[2]} if id_field else {}
        yield path, decode(model, path, body, **ids)


def of_kind(documents: Documents, pattern: str) -> list[dict[str, Any]]:
    return [body for path, body in documents.items() if re.fullmatch(f"{THREAD}/{pattern}", path)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_document_is_read(version: str) -> None:
    """`decode` raises for one that does not fit; a path of no known kind fails the unpacking."""
    documents = read(version)
    for path, document in read_as_models(documents):
        stored = documents[path]
        kept = document.model_dump(mode="python")
        for field, value in stored.items():
            if isinstance(value, str | int):
                assert kept[field] == value, f"{path} {field}"


def test_every_kind_is_there() -> None:
    seen = {type(document) for one in VERSIONS for _, document in read_as_models(read(one))}
    assert seen == {model for model, _ in KINDS.values()}
    assert any(of_kind(read(one), "lorebook_index/.*") for one in VERSIONS)


def test_the_first_version_knew_far_less() -> None:
    """The data would prove nothing if it had been brought up to date."""
    documents = read(VERSIONS[0])
    for path, document in read_as_models(documents):
        for model, absent in ABSENT_AT_FIRST.items():
            if isinstance(document, model):
                assert not absent & documents[path].keys()


def test_what_was_not_known_reads_as_unknown() -> None:
    documents = read(VERSIONS[0])
    fence = MemoryState.model_validate(of_kind(documents, "state/memory")[0])
    assert (fence.generation, fence.turns, fence.lorebook_entries) == (2, 0, None)
    entry = LorebookEntry.model_validate(of_kind(documents, "lorebook/.*")[0])
    assert (entry.kind, entry.secrecy, entry.importance) == (None, "open", 3)


@pytest.mark.parametrize("version", [one for one in VERSIONS if of_kind(read(one), "lorebook_i.*")])
def test_a_shard_of_an_older_format_is_made_anew_from_its_entries(version: str) -> None:
    documents = read(version)
    entries = [LorebookEntry.model_validate(one) for one in of_kind(documents, "lorebook/.*")]
    state = MemoryState.model_validate(of_kind(documents, "state/memory")[0])
    shards = [one["data"] for one in of_kind(documents, "lorebook_index/.*")]
    with pytest.raises(RecallIndexError, match="format"):
        RecallIndex.from_shards(shards, entry_count=len(entries))
    anew = RecallIndex.from_entries(recall_entries_of(entries))
    assert index_from(shards, state, lambda: entries).packed() == anew.packed()
