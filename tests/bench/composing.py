"""What composing costs on top of the reads that it cannot do without."""

import statistics
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from google.cloud import firestore

from functions.adapters.clock import SystemClock
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from functions.adapters.firestore.souls import director_references
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.composing.compose_prompt import ComposePorts, ComposePrompt, compose_prompt
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES, Slot
from shared.model.thread import MemoryState, ThreadKey
from shared.recall.embedding import SemanticLane
from shared.recall.index import RecallIndex
from shared.recall.loading import RecallIndexes, recall_entries_of
from shared.settings import Settings
from tests.bench.operations import counted
from tests.bench.texts import TOKENS_EACH, text_of
from tests.factories import NOW, message

WINDOW = 250
ENTRIES = 40
RUNS = 41


def measure() -> dict[str, float]:
    """A thread just before its second cycle: full slots, a full window, a lorebook."""
    client = firestore.Client(project="demo-soul-memory")
    key = ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)
    write_thread(client, key)
    compose = _compose(client, key)
    reads = _reads(client, key, compose()["lorebook_entry_ids"])
    with counted() as operations:
        compose()
    composing, reading = [], []
    for _ in range(RUNS):
        composing.append(_seconds(compose))
        reading.append(_seconds(reads))
    return {
        "compose_round_trips": float(operations.round_trips),
        "compose_ratio": statistics.median(composing) / statistics.median(reading),
    }


def ports_on(client: firestore.Client) -> ComposePorts:
    """What a prompt is composed with, as an instance has it."""
    lorebook = FirestoreLorebook(client)
    return ComposePorts(
        sources=FirestorePromptSources(client, window_messages=Settings().window_max_messages),
        threads=FirestoreThreads(client),
        indexes=RecallIndexes(lorebook),
        semantics=SemanticLane(lorebook, None),
        prompts=PromptFiles(),
        tokens=TiktokenCounter(),
        clock=SystemClock(),
        settings=Settings(),
    )


def _compose(client: firestore.Client, key: ThreadKey) -> Callable[[], dict[str, Any]]:
    ports = ports_on(client)
    return lambda: compose_prompt(ComposePrompt(thread=key), ports=ports).prompt.model_dump(
        mode="json"
    )


def _reads(client: firestore.Client, key: ThreadKey, chosen: list[str]) -> Callable[[], object]:
    """The same reads by the client alone: eleven documents, the window, the chosen entries."""
    paths = Paths(client)
    thread = paths.thread(key)
    documents = [
        *director_references(paths, key.soul_id),
        thread,
        paths.state(key),
        *(paths.slot(key, name) for name in SLOT_NAMES),
        paths.shard(key, 0),
    ]
    window = paths.messages(key).order_by("created_at", direction="DESCENDING").limit(1_000)
    entries = [paths.lorebook(key).document(name) for name in chosen]
    return lambda: [
        [found.to_dict() for found in source]
        for source in (client.get_all(documents), window.stream(), client.get_all(entries))
    ]


def write_thread(client: firestore.Client, key: ThreadKey, *, messages: int = WINDOW) -> None:
    paths = Paths(client)
    paths.soul(key.soul_id).set({"character_ids": ["sohee"]})
    paths.soul_slot(key.soul_id, "soul_messenger_bio").set({"display_name": "소희", "status": ""})
    paths.soul_slot(key.soul_id, "soul_default_persona").set({"content": text_of(0) * 20})
    paths.thread(key).set({"created_at": NOW, "memory_status": "ready"})
    for name in SLOT_NAMES:
        bullets = "\n".join(
            f"- [Messenger / DM / 2026-05-{day:02d} (목) / 그날] {text_of(day)}"
            for day in range(1, 13)
        )
        paths.slot(key, name).set(Slot(content=bullets, version=1).model_dump())
    batch = client.batch()
    for number in range(messages):
        one = message(number, text_of(number)).model_copy(update={"token_count": TOKENS_EACH})
        batch.set(paths.messages(key).document(one.message_id), one.model_dump())
    entries = [
        LorebookEntry(
            title="그날",
            keywords=("현상소", f"사건{number}"),
            occurred_at="2026-05-28 (목)",
            record=text_of(number + WINDOW),
            cycle_id=f"{number:06d}",
            index=0,
            created_at=NOW,
        )
        for number in range(ENTRIES)
    ]
    for entry in entries:
        batch.set(paths.lorebook(key).document(entry.entry_id), entry.model_dump())
    (shard,) = RecallIndex.from_entries(recall_entries_of(entries)).packed()
    batch.set(paths.shard(key, 0), {"data": shard})
    state = MemoryState(generation=1, lorebook_entries=ENTRIES, lorebook_shards=1)
    batch.set(paths.state(key), state.model_dump())
    batch.commit()


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
