"""The checker finds what is wrong: a good thread from the database, spoiled in one place each."""

import random
from collections.abc import Callable
from copy import copy
from datetime import timedelta

import pytest

from shared.model.slots import SLOT_NAMES
from shared.model.thread import Lease, MemoryStatus
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, write_plays
from tests.battery.invariants import Known, problems_of
from tests.battery.models import Paid
from tests.battery.stored import StoredThread
from tests.factories import NOW

pytestmark = pytest.mark.firestore
Doctor = Callable[[StoredThread], None]


@pytest.fixture(scope="module")
def lived(watched_firestore: str) -> tuple[StoredThread, Known]:
    """A seed and two summary cycles, and some messages pending."""
    settings = Settings(cycle_trigger_tokens=100, settle_seconds=0)
    arena = Arena(random.Random(1), settings=settings)
    chat = arena.open_chat(status=None)
    write_plays(arena.client, chat.key.uid, episodes=2, summarized=True)
    arena.seed(chat)
    for start, count in ((0, 5), (5, 5), (10, 5), (15, 5), (20, 2)):
        _say(arena, chat, start, count)
    stored = arena.stored(chat)
    assert [one.kind for one in stored.applied] == ["seed", "summary", "summary"]
    assert stored.counter.pending_messages == 2
    known = Known(chat.texts, arena.clock.now(), arena.ledger.paid[chat.key], arena.tokens)
    return stored, known


def _say(arena: Arena, chat: Chat, start: int, count: int) -> None:
    arena.clock.pass_time(60)
    arena.write(chat, lines(count, random.Random(start), until=arena.clock.now(), start=start))
    for event in chat.versions[start:]:
        arena.deliver(chat, event)
        arena.queue.deliver_due(arena.work)


def spoiled(lived: StoredThread, doctor: Doctor) -> StoredThread:
    """A copy to doctor: its collections are its own, its documents are replaced whole."""
    one = copy(lived)
    one.messages, one.cycles = list(lived.messages), dict(lived.cycles)
    one.slots, one.entries = dict(lived.slots), dict(lived.entries)
    one.withdrawn = dict(lived.withdrawn)
    doctor(one)
    return one


def test_a_good_thread_has_no_problem(lived: tuple[StoredThread, Known]) -> None:
    assert problems_of(*lived) == []


def lose_a_message(one: StoredThread) -> None:
    del one.messages[3]


def change_a_text(one: StoredThread) -> None:
    one.messages[3] = one.messages[3].model_copy(update={"text": "다른 말"})


def unmark_a_message(one: StoredThread) -> None:
    one.messages[-1] = one.messages[-1].model_copy(update={"token_count": None})


def mark_a_message_wrongly(one: StoredThread) -> None:
    one.messages[-1] = one.messages[-1].model_copy(update={"token_count": 1})


def count_once_more(one: StoredThread) -> None:
    more = one.counter.pending_messages + 1
    one.counter = one.counter.model_copy(update={"pending_messages": more})


def reset_the_counter(one: StoredThread) -> None:
    one.counter = one.counter.model_copy(update={"pending_messages": 0, "pending_tokens": 0})


def rewind_the_cursor(one: StoredThread) -> None:
    consumed = one.cycles["000002"].consumed
    assert consumed is not None
    one.state = one.state.model_copy(update={"cursor": consumed.last})


def advance_the_cursor(one: StoredThread) -> None:
    one.state = one.state.model_copy(update={"cursor": one.messages[-1].ref})


def move_the_window(one: StoredThread) -> None:
    one.state = one.state.model_copy(update={"window_start": one.messages[0].ref})


def consume_twice(one: StoredThread) -> None:
    second, third = one.cycles["000002"].consumed, one.cycles["000003"]
    assert second is not None
    assert third.consumed is not None
    twice = third.consumed.model_copy(update={"first": second.last})
    one.cycles["000003"] = third.model_copy(update={"consumed": twice})


def forget_a_cycle(one: StoredThread) -> None:
    del one.cycles["000002"]


def unapply_a_cycle(one: StoredThread) -> None:
    one.cycles["000002"] = one.cycles["000002"].model_copy(update={"status": "rejected"})


def apply_without_the_fence(one: StoredThread) -> None:
    one.state = one.state.model_copy(update={"generation": 2})


def leave_an_old_cycle_queued(one: StoredThread) -> None:
    stray = {"cycle_id": "000005", "status": "queued", "output": None, "lorebook_entries": 0}
    one.cycles["000005"] = one.cycles["000003"].model_copy(update=stray)


def lose_an_event(one: StoredThread) -> None:
    del one.entries[min(one.entries)]


def add_an_event(one: StoredThread) -> None:
    event = one.entries[min(one.entries)]
    one.entries["000002-099"] = event.model_copy(update={"index": 99})


def tell_an_event_twice(one: StoredThread) -> None:
    first, last = min(one.entries), max(one.entries)
    told = {"title": one.entries[first].title, "record": one.entries[first].record}
    one.entries[last] = one.entries[last].model_copy(update=told)


def miscount_the_index(one: StoredThread) -> None:
    one.state = one.state.model_copy(update={"lorebook_entries": 99})


def withdraw_an_event_that_stands(one: StoredThread) -> None:
    name, entry = one.entries.popitem()
    one.withdrawn[name] = entry


def keep_an_event_withdrawn_too(one: StoredThread) -> None:
    name, entry = next(iter(one.entries.items()))
    one.withdrawn[name] = entry


def pretend_a_rollback(one: StoredThread) -> None:
    rollback = {"kind": "rollback", "rolled_back_to": 1, "consumed": None}
    one.cycles["000003"] = one.cycles["000003"].model_copy(update=rollback)


def overwrite_a_slot(one: StoredThread) -> None:
    slot = one.slots["long_term_memory"]
    one.slots["long_term_memory"] = slot.model_copy(update={"content": "- 다른 기억"})


def lose_a_slot(one: StoredThread) -> None:
    del one.slots["recent_context"]


def misattribute_a_slot(one: StoredThread) -> None:
    slot = one.slots["long_term_memory"]
    one.slots["long_term_memory"] = slot.model_copy(update={"cycle_id": "000001"})


def break_the_chain(one: StoredThread) -> None:
    cycle = one.cycles["000003"]
    assert cycle.before is not None
    before = cycle.before.model_copy(update={SLOT_NAMES[0]: "- 다른 기억"})
    one.cycles["000003"] = cycle.model_copy(update={"before": before})


def break_the_chain_at_the_seed(one: StoredThread) -> None:
    cycle = one.cycles["000001"]
    assert cycle.after is not None
    after = cycle.after.model_copy(update={SLOT_NAMES[0]: "- 다른 기억"})
    one.cycles["000001"] = cycle.model_copy(update={"after": after})


def drop_the_audit(one: StoredThread) -> None:
    one.cycles["000002"] = one.cycles["000002"].model_copy(update={"before": None})


def set_a_message_aside_unlisted(one: StoredThread) -> None:
    one.messages[0] = one.messages[0].model_copy(update={"set_aside_by": "000002"})


def list_a_message_unmarked(one: StoredThread) -> None:
    listed = {"set_aside": (one.messages[0].ref,)}
    one.cycles["000002"] = one.cycles["000002"].model_copy(update=listed)


def hold_a_lease_for_ever(one: StoredThread) -> None:
    lease = Lease(cycle_id="000004", token="t", expires_at=NOW - timedelta(days=1))
    one.state = one.state.model_copy(update={"lease": lease})


def claim_without_a_lease(one: StoredThread) -> None:
    stray = {"cycle_id": "000004", "status": "claimed", "output": None}
    one.cycles["000004"] = one.cycles["000003"].model_copy(update=stray)


def seed_for_ever(one: StoredThread) -> None:
    status: MemoryStatus = "seeding"
    one.thread = one.thread.model_copy(update={"memory_status": status})


def lose_turns(one: StoredThread) -> None:
    one.state = one.state.model_copy(update={"turns": 0})


def forget_an_output(one: StoredThread) -> None:
    one.cycles["000003"] = one.cycles["000003"].model_copy(update={"output": None})


SPOILED: list[tuple[Doctor, str]] = [
    (lose_a_message, "not those that were written"),
    (change_a_text, "not those that were written"),
    (unmark_a_message, "never counted"),
    (mark_a_message_wrongly, "is marked with 1 tokens"),
    (count_once_more, "the counter says 3 messages"),
    (reset_the_counter, "the counter says 0 messages"),
    (rewind_the_cursor, "taken more than once"),
    (advance_the_cursor, "are in no cycle"),
    (move_the_window, "the window does not start"),
    (consume_twice, "taken more than once"),
    (forget_a_cycle, "generation 3 does not follow"),
    (unapply_a_cycle, "is rejected at generation 3"),
    (apply_without_the_fence, "generation 2 does not follow"),
    (leave_an_old_cycle_queued, "is queued at generation 3"),
    (lose_an_event, "the lorebook holds"),
    (add_an_event, "the lorebook holds"),
    (tell_an_event_twice, "in the lorebook twice"),
    (miscount_the_index, "index says 99 entries"),
    (withdraw_an_event_that_stands, "the lorebook holds"),
    (keep_an_event_withdrawn_too, "withdrawn are"),
    (pretend_a_rollback, "did not go back to generation 1"),
    (overwrite_a_slot, "the database does not hold the long_term_memory"),
    (lose_a_slot, "the database does not hold the recent_context"),
    (misattribute_a_slot, "was written by cycle 000001"),
    (break_the_chain, "did not find the long_term_memory"),
    (break_the_chain_at_the_seed, "did not find the long_term_memory"),
    (drop_the_audit, "has no before"),
    (set_a_message_aside_unlisted, "the audit lists {}"),
    (list_a_message_unmarked, "set aside are {}"),
    (hold_a_lease_for_ever, "holds a lease past its term"),
    (claim_without_a_lease, "claimed without a lease"),
    (seed_for_ever, "nobody is at it"),
    (lose_turns, "the turns are not those"),
    (forget_an_output, "the audit holds 2 outputs"),
]


@pytest.mark.parametrize(("doctor", "found"), SPOILED, ids=[one.__name__ for one, _ in SPOILED])
def test_a_spoiled_thread_is_found(
    lived: tuple[StoredThread, Known], doctor: Doctor, found: str
) -> None:
    stored, known = lived
    assert found in "; ".join(problems_of(spoiled(stored, doctor), known))


@pytest.mark.parametrize(("calls", "answered"), [(3, 4), (3, 2), (9, 3)])
def test_calls_that_the_audit_does_not_know(
    lived: tuple[StoredThread, Known], calls: int, answered: int
) -> None:
    stored, known = lived
    paid = Paid(calls=calls, answered=answered)
    assert problems_of(stored, Known(known.written, known.now, paid, known.tokens))
