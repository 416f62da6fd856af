"""After a deletion no port brings anything back, whoever writes and however late."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from google.cloud import firestore

from functions.adapters.clock import SystemChance
from functions.adapters.firestore.belongings import FirestoreBelongings
from functions.adapters.firestore.budget import FirestoreBudget
from functions.adapters.firestore.counters import FirestoreCounters
from functions.adapters.firestore.deletions import FirestoreDeletions
from functions.adapters.firestore.export_allowance import FirestoreExportAllowance
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.threads import FirestoreThreads
from shared.errors import DocumentNotFoundError, StaleClaimError, UserGoneError
from shared.model.deletion import Deletion
from shared.model.reply import LiveReply
from shared.model.thread import Counter, MemoryState, ThreadKey
from shared.ports import BudgetCall
from shared.replying.reply_ports import HeldReply
from shared.settings import Settings
from shared.summarizing import states
from shared.summarizing.request_cycle import request_cycle
from tests.bench.composing import write_thread
from tests.bench.operations import counted
from tests.factories import NOW, message
from tests.fakes import FakeClock, FakeTasks
from tests.integration.test_threads import write

pytestmark = pytest.mark.firestore

DAY = "2026-05-28"


def left(client: firestore.Client, key: ThreadKey) -> list[str]:
    """What there is of the user."""
    user = client.collection("users").recursive()
    paths = (one.reference.path for one in user.stream())
    return [path for path in paths if path.split("/")[1] == key.uid]


@pytest.fixture
def gone(client: firestore.Client, key: ThreadKey) -> Iterator[ThreadKey]:
    """A thread whose user's data was deleted; afterwards still nothing may be there."""
    bury(client, key)
    yield key
    assert left(client, key) == []


def bury(client: firestore.Client, key: ThreadKey) -> None:
    stone = Deletion(reason="asked", started_at=NOW, look_at=NOW)
    FirestoreDeletions(client).begin(key.uid, stone)


def empty(client: firestore.Client, key: ThreadKey) -> None:
    while FirestoreBelongings(client).delete_page(key.uid, after=None).count:
        pass


def reply(generation_id: str) -> LiveReply:
    return LiveReply(
        status="writing",
        request_id="r1",
        generation_id=generation_id,
        requested_at=NOW,
        expires_at=NOW + timedelta(seconds=90),
    )


def test_no_cycle_begins(memory: FirestoreMemory, gone: ThreadKey) -> None:
    read = memory.read_cycle(gone, None)
    change = states.ask(read, kind="summary", now=NOW)
    assert change is not None
    with pytest.raises(UserGoneError):
        memory.commit(gone, read, change)


def test_asking_for_one_is_quietly_nothing(memory: FirestoreMemory, gone: ThreadKey) -> None:
    tasks = FakeTasks()
    request_cycle(gone, memory=memory, tasks=tasks, clock=FakeClock(NOW), settings=Settings())
    assert tasks.queued == {}


def test_no_model_call_is_paid(client: firestore.Client, gone: ThreadKey) -> None:
    budget = FirestoreBudget(client, {"user": (0, 0), "project": (0, 0)})
    call = BudgetCall(uid=gone.uid, day=DAY, call_id="c1")
    with pytest.raises(UserGoneError):
        budget.reserve(call, 10)
    budget.settle(call, 10)


def test_a_bill_that_was_reserved_before_is_not_settled(
    client: firestore.Client, key: ThreadKey
) -> None:
    budget = FirestoreBudget(client, {"user": (0, 0), "project": (0, 0)})
    call = BudgetCall(uid=key.uid, day=DAY, call_id="c1")
    assert budget.reserve(call, 10)
    bury(client, key)
    empty(client, key)
    budget.settle(call, 4)
    assert left(client, key) == []


def test_no_reply_begins(client: firestore.Client, gone: ThreadKey) -> None:
    with pytest.raises(UserGoneError):
        FirestoreReplies(client).claim(gone, None, reply("g1"), day=DAY)


def test_a_reply_under_way_is_not_written(client: firestore.Client, key: ThreadKey) -> None:
    replies = FirestoreReplies(client)
    held, _ = replies.claim(key, None, reply("g1"), day=DAY)
    bury(client, key)
    empty(client, key)
    with pytest.raises(StaleClaimError):
        replies.commit(key, held, held.reply, [], replaced=())
    replies.fail(key, held, held.reply)
    with pytest.raises(StaleClaimError):
        replies.claim(key, HeldReply(reply=held.reply, version=held.version), reply("g2"), day=DAY)
    assert left(client, key) == []


def test_no_status_is_written(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    Paths(client).thread(key).set({"created_at": NOW})
    bury(client, key)
    with pytest.raises(UserGoneError):
        threads.set_memory_status(key, "empty")
    thread = threads.read_thread(key)
    assert thread is not None
    assert thread.memory_status == "pending"


def test_no_index_is_written(memory: FirestoreMemory, gone: ThreadKey) -> None:
    nothing = memory.read_cycle(gone, None)
    with pytest.raises(UserGoneError):
        memory.write_index(gone, nothing, MemoryState(generation=1), {0: b"x"}, {})


def test_no_counter_is_made_anew(client: firestore.Client, gone: ThreadKey) -> None:
    counters = FirestoreCounters(client)
    with pytest.raises(UserGoneError):
        counters.write(gone, counters.read(gone), Counter(pending_messages=1, pending_tokens=7))


def test_no_export_is_counted(client: firestore.Client, gone: ThreadKey) -> None:
    with pytest.raises(UserGoneError):
        FirestoreExportAllowance(client).take(gone.uid, DAY)


def test_exports_of_a_day_are_counted(client: firestore.Client, key: ThreadKey) -> None:
    allowance = FirestoreExportAllowance(client)
    assert [allowance.take(key.uid, DAY) for _ in range(3)] == [1, 2, 3]
    assert allowance.take(key.uid, "2026-05-29") == 1


def test_no_prompt_is_composed_also_by_an_instance_that_knows_the_chat(
    client: firestore.Client, key: ThreadKey
) -> None:
    write_thread(client, key)
    sources = FirestorePromptSources(client, window_messages=10)
    sources.read_prompt_sources(key)
    bury(client, key)
    with pytest.raises(DocumentNotFoundError):
        sources.read_prompt_sources(key)
    empty(client, key)


def test_the_first_message_that_is_counted_late_tells_on_itself(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    bury(client, key)
    first, second = (write(client, key, message(number)) for number in range(2))
    with pytest.raises(UserGoneError):
        threads.count_tokens(key, first, 7)
    with pytest.raises(UserGoneError):
        threads.count_tokens(key, first, 7)  # delivered again
    threads.count_tokens(key, second, 7)  # the first one's trigger deletes it too
    empty(client, key)


def test_a_message_that_was_deleted_before_it_was_counted_leaves_no_counter(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    late = write(client, key, message(1))
    bury(client, key)
    empty(client, key)
    with pytest.raises(UserGoneError):
        threads.count_tokens(key, late, 7)
    assert left(client, key) == []


def test_who_stays_pays_next_to_nothing(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    found = [write(client, key, message(number)) for number in range(50)]
    with counted() as operations:
        for one in found:
            threads.count_tokens(key, one, 7)
    assert (operations.writes, operations.reads) == (100, 1)


def test_a_commit_whose_answer_is_lost_is_believed_though_the_door_closed_meanwhile(
    client: firestore.Client,
    memory: FirestoreMemory,
    key: ThreadKey,
    commits_sent_twice: Callable[[], None],
) -> None:
    commits_sent_twice()
    read = memory.read_cycle(key, None)
    change = states.ask(read, kind="summary", now=NOW)
    assert change is not None
    assert memory.commit(key, read, change).cycle == change.cycle
    budget = FirestoreBudget(client, {"user": (0, 0), "project": (0, 0)})
    assert budget.reserve(BudgetCall(uid=key.uid, day=DAY, call_id="c1"), 10)
    held, _ = FirestoreReplies(client).claim(key, None, reply(SystemChance().token()), day=DAY)
    assert held.reply.status == "writing"
