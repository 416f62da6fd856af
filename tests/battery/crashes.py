"""Crashes: the worker dies before or after every remote call in turn, or the answer is lost."""

import random
from collections.abc import Iterator
from datetime import timedelta

from tests.battery.arena import Arena
from tests.battery.crash_stories import (
    MESSAGE,
    SEED,
    SETTINGS,
    WRITING_SEED,
    Story,
    Told,
    listen,
    tell,
)
from tests.battery.lost_calls import MODES, Mode, Plan
from tests.battery.runner import Size, Tally, each
from tests.battery.spending import read_spending
from tests.battery.stored import StoredThread, read_all_stored

PAUSE = timedelta(minutes=20)
HOURS = timedelta(hours=3)
SWEEPS = 2

Fault = tuple[Story, int, Mode]


def crashes(chance: random.Random, size: Size) -> Tally:
    """Every remote call of trigger, claim, snapshot, generate, keep, apply, emit and seed.

    The public fault: a crash between two writes leaves a counter reset without a summary, a
    summary marked ready that was never written, or a model call that is paid for again and again.
    """
    seeds = size.of(10, 1)
    tally = Tally("")
    points: set[str] = set()
    for number in range(seeds):
        stories = (MESSAGE, WRITING_SEED if number % 2 else SEED)
        _one_seed(tally, points, random.Random(chance.random()), stories, size)
    tally.size = f"{len(points)} points × {len(MODES)} modes × {seeds} seeds"
    return tally


def _one_seed(
    tally: Tally,
    points: set[str],
    chance: random.Random,
    stories: tuple[Story, ...],
    size: Size,
) -> None:
    """An arena in which each fault happens to a chat of its own; then all of them recover."""
    arena = Arena(chance, settings=SETTINGS)
    told: list[Told] = []
    listen(arena)
    faults = list(_faults(arena, stories, chance, told, points))
    faults = faults if size.full else chance.sample(faults, 40)

    def suffer(fault: Fault) -> None:
        story, at, mode = fault
        told.append(tell(arena, story, random.Random(f"{at}{mode}"), at, mode))

    each(suffer, faults)
    _recover(arena, told, chance)
    stored, spending = read_all_stored(arena.client), read_spending(arena.client)
    for one in told:
        point = one.plan.seen[one.plan.at] if one.plan.happened and one.plan.at is not None else ""
        where = f"{one.story.name}, {one.plan.mode} {point} (call {one.plan.at})"
        key = one.chat.key
        calls = arena.ledger.paid[key].calls
        problems = _problems(arena, one, stored[key], calls)
        tally.add([*problems, *spending[key.uid].problems(calls=calls)], where=where)
    tally.add(arena.own_problems())


def _faults(
    arena: Arena,
    stories: tuple[Story, ...],
    chance: random.Random,
    told: list[Told],
    points: set[str],
) -> Iterator[Fault]:
    """Tell each story once without a fault, and take every call that it made."""
    for story in stories:
        rehearsal = tell(arena, story, chance, None, "before")
        told.append(rehearsal)
        seen = rehearsal.plan.seen
        points |= {f"{story.name} {at} {name}" for at, name in enumerate(seen)}
        yield from ((story, at, mode) for at in range(len(seen)) for mode in MODES)


def _recover(arena: Arena, told: list[Told], chance: random.Random) -> None:
    """Some events come again and some tasks survive; for the others there is the sweep."""
    for one in told:
        if chance.random() < 0.5:
            arena.queue.lose(one.chat.key)
        elif not one.acknowledged:
            one.story.tell(arena, one.chat, Plan())
    arena.queue.drain(arena.work, within=HOURS)
    for _ in range(SWEEPS):
        arena.clock.pass_time(PAUSE.total_seconds())
        arena.sweep()
        arena.queue.drain(arena.work, within=HOURS)


def _problems(arena: Arena, told: Told, stored: StoredThread, calls: int) -> list[str]:
    """One applied cycle; one model call more than without the fault, none once it was kept."""
    most = told.calls if told.is_kept else 2 + told.story.extra_calls
    found = arena.problems(told.chat, may_lose=1, stored=stored)
    if len(stored.applied) != 1:
        found.append(f"{len(stored.applied)} cycles were applied")
    if calls > most:
        found.append(f"{calls} model calls, {most} at most")
    if told.plan.at is not None and not told.plan.happened:
        found.append("the fault never happened")
    return found
