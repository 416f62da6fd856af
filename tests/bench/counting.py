"""What one message costs, in a young thread and in an old one."""

from uuid import uuid4

from google.cloud import firestore

from functions.adapters.clock import SystemClock
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.counting.record_message import RecordMessage, record_message
from shared.model.thread import ThreadKey
from shared.ports import Versioned
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from tests.bench.operations import counted
from tests.bench.texts import TOKENS_EACH, text_of
from tests.factories import message
from tests.fakes import FakeTasks

BATCH = 400


def measure() -> dict[str, float]:
    """Operations a message, over as many messages as make one cycle due."""
    return {f"ops_per_message_{history}": _operations(history) for history in (100, 10_000)}


def _operations(history: int) -> float:
    client = firestore.Client(project="demo-soul-memory")
    key = ThreadKey(uid=uuid4().hex, soul_id="sohee")
    messages = client.collection("users", key.uid, "threads", key.soul_id, "messages")
    for start in range(0, history, BATCH):
        batch = client.batch()
        for number in range(start, min(start + BATCH, history)):
            old = message(number, text_of(number)).model_copy(update={"token_count": TOKENS_EACH})
            body = old.model_dump(exclude={"message_id"})
            batch.set(messages.document(old.message_id), body)
        batch.commit()
    settings = Settings()
    fresh = unsummarized(client, key, settings, start=history)
    threads, memory, tasks = FirestoreThreads(client), FirestoreMemory(client), FakeTasks()
    tokens, clock = TiktokenCounter(), SystemClock()
    with counted() as operations:
        for one in fresh:
            record_message(
                RecordMessage(thread=key, message=one),
                threads=threads,
                memory=memory,
                tasks=tasks,
                tokens=tokens,
                clock=clock,
                settings=settings,
            )
    if len(tasks.queued) != 1:
        raise AssertionError(f"one cycle was to be asked for, not {len(tasks.queued)}")
    return (operations.reads + operations.writes) / len(fresh)


def unsummarized(
    client: firestore.Client, key: ThreadKey, settings: Settings, *, start: int = 0
) -> list[Versioned]:
    """As many new messages as make one cycle due, written and not counted."""
    messages = client.collection("users", key.uid, "threads", key.soul_id, "messages")
    fresh = []
    for number in range(start, start + settings.cycle_trigger_tokens // TOKENS_EACH):
        new = message(number, text_of(number))
        body = new.model_dump(exclude={"message_id", "token_count"})
        written = messages.document(new.message_id).set(body)
        fresh.append(Versioned(message=new, version=written.update_time))
    return fresh


def record(key: ThreadKey, one: Versioned, ports: CyclePorts) -> None:
    """Count a message as its trigger does."""
    record_message(
        RecordMessage(thread=key, message=one),
        threads=ports.threads,
        memory=ports.memory,
        tasks=ports.tasks,
        tokens=ports.tokens,
        clock=ports.clock,
        settings=ports.settings,
    )
