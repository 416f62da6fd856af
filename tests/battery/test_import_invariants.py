"""The checker finds what is wrong with imports: a good thread, spoiled in one place each."""

import random
from collections.abc import Callable
from copy import copy

import pytest

from shared.model.memory_import import ImportAnswer, LiveImport, PlaysRead
from tests.battery.arena import Arena
from tests.battery.chats import lines, play_on, write_plays
from tests.battery.import_invariants import imports_of
from tests.battery.imports import HOURS, SETTINGS
from tests.battery.stored import StoredThread

pytestmark = pytest.mark.firestore
Doctor = Callable[[StoredThread], None]


@pytest.fixture(scope="module")
def lived(watched_firestore: str) -> StoredThread:
    """A seed, a summary and two imports."""
    arena = Arena(random.Random(1), settings=SETTINGS)
    chat = arena.open_chat(status=None)
    write_plays(arena.client, chat.key.uid, episodes=2, summarized=True)
    arena.seed(chat)
    arena.write(chat, lines(6, random.Random(2), until=arena.clock.now(), words=10), counted=5)
    arena.deliver(chat, chat.versions[-1])
    arena.queue.drain(arena.work, within=HOURS)
    for number in (3, 4):
        play_on(arena.client, chat.key.uid, number, summaries=range(2), at=arena.clock.now())
        arena.load(chat, f"r{number}")
        arena.queue.drain(arena.work, within=HOURS)
    stored = arena.stored(chat)
    assert [one.kind for one in stored.applied] == ["seed", "summary", "import", "import"]
    assert arena.problems(chat, stored=stored) == []
    return stored


def change(one: StoredThread, cycle_id: str, **changes: object) -> None:
    one.cycles[cycle_id] = one.cycles[cycle_id].model_copy(update=changes)


def show(one: StoredThread, **changes: object) -> None:
    assert one.live_import is not None
    one.live_import = one.live_import.model_copy(update=changes)


def apply_a_request_twice(one: StoredThread) -> None:
    change(one, "000004", import_request=one.cycles["000003"].import_request)


def read_a_summary_twice(one: StoredThread) -> None:
    change(one, "000004", episode_sources=one.cycles["000003"].episode_sources)


def write_recent_context(one: StoredThread) -> None:
    after = one.cycles["000003"].after
    assert after is not None
    other = after.model_copy(update={"recent_context": "- 다른 이야기"})
    change(one, "000003", after=other)


def forget_what_was_read(one: StoredThread) -> None:
    one.plays_read = PlaysRead()


def tell_of_an_import_that_is_none(one: StoredThread) -> None:
    assert one.live_import is not None
    stray = ImportAnswer(request_id="r9", cycle_id="000009")
    show(one, answered=(*one.live_import.answered, stray))


def tell_of_none(one: StoredThread) -> None:
    one.live_import = None


def run_for_ever(one: StoredThread) -> None:
    show(one, status="running")


SPOILED: list[tuple[Doctor, str]] = [
    (apply_a_request_twice, "request r3 was applied 2 times"),
    (read_a_summary_twice, "were read by more than one cycle"),
    (write_recent_context, "wrote Recent context"),
    (forget_what_was_read, "are not on record"),
    (tell_of_an_import_that_is_none, "the app was told of"),
    (tell_of_none, "the app was told of"),
    (run_for_ever, "nobody is at it"),
]


@pytest.mark.parametrize(("doctor", "found"), SPOILED, ids=[one.__name__ for one, _ in SPOILED])
def test_a_spoiled_thread_is_found(lived: StoredThread, doctor: Doctor, found: str) -> None:
    one = copy(lived)
    one.cycles = dict(lived.cycles)
    assert isinstance(one.live_import, LiveImport)
    doctor(one)
    assert found in "; ".join(imports_of(one))
