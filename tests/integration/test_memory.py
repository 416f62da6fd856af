"""The fence, cycles and slots, on the emulator: one commit, or nothing."""

from collections.abc import Callable

import pytest
from google.cloud import firestore

from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.threads import FirestoreThreads
from shared.errors import StaleClaimError
from shared.model.slots import Slot, Slots
from shared.model.thread import Counter, ThreadKey
from shared.ports import CycleRead, MemoryChange
from shared.summarizing import states
from shared.summarizing.memory_document import parse_summary
from shared.summarizing.writing import entries_of
from tests.factories import NOW, summary
from tests.unit.summarizing.test_states import CONSUMED, LEASE, OUTPUT

pytestmark = pytest.mark.firestore


def ask(memory: FirestoreMemory, key: ThreadKey) -> CycleRead:
    read = memory.read_cycle(key, None)
    change = states.ask(read, kind="summary", now=NOW)
    assert change is not None
    return memory.commit(key, read, change)


def claim(memory: FirestoreMemory, key: ThreadKey, read: CycleRead, token: str) -> CycleRead:
    change = states.claim(read, kind="summary", token=token, now=NOW, lease=LEASE)
    assert change is not None
    return memory.commit(key, read, change)


def applied(read: CycleRead) -> MemoryChange:
    assert read.cycle is not None
    output = parse_summary(summary())
    entries = entries_of(output.lorebook, read.cycle, turn=0, now=NOW)
    change = states.apply(read, before=Slots(), after=output.as_slots(), entries=1, now=NOW)
    slot = Slot(content="- 맡겼다.", version=1, cycle_id="000001", updated_at=NOW, token_count=5)
    return change.model_copy(
        update={
            "slots": {"long_term_memory": slot},
            "entries": entries,
            "consumed": Counter(pending_tokens=100, pending_messages=10),
        }
    )


def test_a_cycles_life(client: firestore.Client, memory: FirestoreMemory, key: ThreadKey) -> None:
    read = claim(memory, key, ask(memory, key), "t1")
    assert memory.read_cycle(key, 1) == read
    read = memory.commit(key, read, states.keep_output(read, output=OUTPUT, consumed=CONSUMED))
    memory.commit(key, read, applied(read))
    stored = memory.read_cycle(key, 1)
    assert stored.state.generation == 1
    assert stored.state.cursor == CONSUMED.last
    assert stored.cycle is not None
    assert stored.cycle.status == "applied"
    assert memory.read_slots(key)["long_term_memory"].content == "- 맡겼다."
    assert FirestoreThreads(client).read_counter(key).pending_tokens == -100
    (entry,) = FirestoreLorebook(client).all_entries(key)
    assert (entry.entry_id, entry.keywords) == ("000001-000", ("필름", "현상소"))
    assert memory.read_cycle(key, None).cycle is None


def test_only_one_worker_gets_the_claim(memory: FirestoreMemory, key: ThreadKey) -> None:
    read = ask(memory, key)
    claim(memory, key, read, "t1")
    with pytest.raises(StaleClaimError):
        claim(memory, key, read, "t2")
    held = memory.read_cycle(key, 1)
    assert held.state.lease is not None
    assert held.state.lease.token == "t1"


def test_asking_twice_at_once_makes_one_record(memory: FirestoreMemory, key: ThreadKey) -> None:
    read = memory.read_cycle(key, None)
    later = NOW.replace(hour=20)
    first = states.ask(read, kind="summary", now=NOW)
    second = states.ask(read, kind="summary", now=later)
    assert first is not None
    assert second is not None
    memory.commit(key, read, first)
    with pytest.raises(StaleClaimError):
        memory.commit(key, read, second)


def test_a_stale_worker_changes_nothing_at_all(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    old = claim(memory, key, ask(memory, key), "t1")
    old = memory.commit(key, old, states.keep_output(old, output=OUTPUT, consumed=CONSUMED))
    memory.commit(key, old, states.wait(old, failure=None))
    with pytest.raises(StaleClaimError):
        memory.commit(key, old, applied(old))
    assert memory.read_slots(key) == {}
    assert FirestoreLorebook(client).all_entries(key) == []
    assert FirestoreThreads(client).read_counter(key) == Counter()
    assert memory.read_cycle(key, 1).state.generation == 0


def test_a_commit_whose_answer_is_lost_is_believed_when_read_back(
    client: firestore.Client,
    memory: FirestoreMemory,
    key: ThreadKey,
    commits_sent_twice: Callable[[], None],
) -> None:
    read = claim(memory, key, ask(memory, key), "t1")
    read = memory.commit(key, read, states.keep_output(read, output=OUTPUT, consumed=CONSUMED))
    commits_sent_twice()
    written = memory.commit(key, read, applied(read))
    assert written.state.generation == 1
    assert FirestoreThreads(client).read_counter(key).pending_tokens == -100
