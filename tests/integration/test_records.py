"""What an operator sees of a thread, on the emulator: its cycles without their texts."""

import pytest
from google.cloud import firestore

from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.records import FirestoreRecords
from shared.inspecting.inspect_thread import SeenCycle
from shared.model.cycle import Failure
from shared.model.slots import Slots
from shared.model.thread import ThreadKey
from shared.summarizing import states
from tests.integration.test_memory import applied, ask, claim
from tests.unit.summarizing.test_states import CONSUMED, OUTPUT

pytestmark = pytest.mark.firestore


def test_a_cycle_is_seen_as_it_is_stored(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    read = claim(memory, key, ask(memory, key), "t1")
    read = memory.commit(key, read, states.keep_output(read, output=OUTPUT, consumed=CONSUMED))
    before = Slots(long_term_memory="- 찍었다.")
    change = applied(read)
    cycle = change.cycle.model_copy(update={"before": before, "set_aside": (CONSUMED.last,)})
    memory.commit(key, read, change.model_copy(update={"cycle": cycle}))

    records = FirestoreRecords(client)
    assert records.read_record(key, cycles=5).cycles == (SeenCycle(**cycle.model_dump()),)
    assert records.slots_before(key, ["000001", "000002"]) == {"000001": before}


def test_a_cycle_that_failed_is_seen_with_its_reason(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    read = claim(memory, key, ask(memory, key), "t1")
    failure = Failure(failure_class="configuration", reason="no_such_model")
    memory.commit(key, read, states.block(read, failure=failure))
    (cycle,) = FirestoreRecords(client).read_record(key, cycles=5).cycles
    assert (cycle.status, cycle.failure) == ("blocked", failure)
    assert cycle.output is None
    assert cycle.consumed is None
    assert FirestoreRecords(client).slots_before(key, ["000001"]) == {}
    assert FirestoreRecords(client).slots_before(key, []) == {}
