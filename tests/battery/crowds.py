"""Many workers on one thread, and many threads at once."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.runner import Size, Tally, each
from tests.battery.stored import StoredThread, read_all_stored
from tests.battery.task_queue import Task

CROWD = 20
SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0)
MESSAGES = 6
WORKERS = 8
HOURS = timedelta(hours=3)


def crowd(chance: random.Random, size: Size) -> Tally:
    """Twenty workers are given the same cycle at the same moment, round after round.

    The public fault: two workers summarize the same messages, both append, and the loser's
    conflict is thrown at whoever waits.
    """
    rounds = size.of(50, 4)
    tally = Tally(f"{CROWD} workers, 1 thread, {rounds} rounds")
    arena = Arena(chance, settings=SETTINGS)
    chat = arena.open_chat()
    with ThreadPoolExecutor(CROWD) as pool:
        for number in range(1, rounds + 1):
            tally.add(_one_round(arena, chat, chance, pool, number), where=f"round {number}")
    tally.add(arena.own_problems())
    return tally


def _one_round(
    arena: Arena, chat: Chat, chance: random.Random, pool: ThreadPoolExecutor, number: int
) -> list[str]:
    arena.clock.pass_time(60)
    start = len(chat.texts)
    messages = lines(MESSAGES, chance, until=arena.clock.now(), start=start, words=10)
    arena.write(chat, messages, counted=MESSAGES - 1)
    paid = arena.ledger.paid[chat.key].calls
    gate = threading.Barrier(CROWD)

    def worker(_: int) -> None:
        gate.wait()
        arena.deliver(chat, chat.versions[-1])
        arena.work(Task(chat.key, number, arena.clock.now()))

    list(pool.map(worker, range(CROWD)))
    arena.queue.drain(arena.work, within=HOURS)
    stored = arena.stored(chat)
    calls = arena.ledger.paid[chat.key].calls - paid
    return [
        *arena.problems(chat, stored=stored),
        *([f"{len(stored.applied)} applied"] if len(stored.applied) != number else []),
        *([f"{calls} model calls"] if calls != 1 else []),
    ]


def together(chance: random.Random, size: Size) -> Tally:
    """Threads that all reach the threshold in the same moment.

    The public fault: a burst overruns the workers, and the summaries that were not taken in time
    are counted as done. The model is one in memory: what is measured is the memory.
    """
    count = size.of(1_000, 40)
    tally = Tally(f"{count} threads, {WORKERS} workers")
    arena = Arena(chance, settings=SETTINGS)
    chats = _open_at_the_brink(arena, chance, count)
    each(lambda chat: arena.deliver(chat, chat.versions[-1]), chats, workers=WORKERS)
    seconds: list[float] = []

    def timed(task: Task) -> bool:
        started = time.perf_counter()
        done = arena.work(task)
        seconds.append(time.perf_counter() - started)
        return done

    arena.queue.drain(timed, workers=WORKERS, within=HOURS)
    stored = read_all_stored(arena.client)
    for chat in chats:
        tally.add(_problems(arena, chat, stored[chat.key]))
    tally.add(arena.own_problems())
    ranked = sorted(seconds)
    p99 = ranked[max(len(ranked) * 99 // 100 - 1, 0)]
    tally.note = f"p99 apply {p99 * 1000:.0f} ms, median {ranked[len(ranked) // 2] * 1000:.0f} ms"
    return tally


def _open_at_the_brink(arena: Arena, chance: random.Random, count: int) -> list[Chat]:
    chats: list[Chat] = []

    def opened(number: int) -> None:
        messages = lines(MESSAGES, random.Random(number), until=arena.clock.now(), words=10)
        chats.append(arena.open_chat(messages, counted=MESSAGES - 1))

    each(opened, [chance.randrange(10**9) for _ in range(count)], workers=WORKERS)
    return chats


def _problems(arena: Arena, chat: Chat, stored: StoredThread) -> list[str]:
    applied = len(stored.applied)
    return [
        *arena.problems(chat, stored=stored),
        *([f"{applied} cycles were applied"] if applied != 1 else []),
    ]
