"""Duplicates: each event one to five times, late and out of order; the queue doubles tasks too."""

import random
from datetime import timedelta

from shared.counting.record_message import MessageRecorded
from shared.ports import Versioned
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.delivery import Delivery
from tests.battery.runner import Size, Tally, each
from tests.battery.stored import StoredThread

TRIGGER = 600
ROUND = 25
WHILE_THINKING = 3
HOURS = timedelta(hours=3)


def duplicates(chance: random.Random, size: Size) -> Tally:
    """One chat in which every event comes up to five times.

    The public fault: counters that are bumped by every delivery and reset before the summary has
    succeeded, so that totals drift, cycles run twice and messages fall between two resets.
    """
    count = size.of(1_000, 100)
    tally = Tally(f"{count:,} messages, events ×1–5, shuffled")
    arena = Arena(chance, settings=Settings(cycle_trigger_tokens=TRIGGER))
    arena.queue.duplicate = 0.3
    chat = arena.open_chat()
    arena.model.meanwhile = lambda key: _say(arena, chat, chance, WHILE_THINKING)
    events: Delivery[Versioned] = Delivery(chance, copies=5, late=0.2)
    crossings, sent = [0], 0
    while len(chat.texts) < count:
        _write(arena, chat, chance, min(ROUND, count - len(chat.texts)))
        events.send(chat.versions[sent:])
        sent = len(chat.texts)
        _one_round(arena, chat, events, crossings)
    while not events.is_empty:
        _one_round(arena, chat, events, crossings)
    arena.queue.drain(arena.work, within=HOURS)
    stored = arena.stored(chat)
    tally.add(
        [
            *arena.problems(chat, stored=stored),
            *arena.own_problems(),
            *_exact(arena, chat, stored, crossings[0]),
        ]
    )
    tally.note = f"{len(stored.applied)} cycles, {arena.queue.names_taken} names taken"
    return tally


def _write(arena: Arena, chat: Chat, chance: random.Random, count: int) -> list[Versioned]:
    """The next messages of the chat; answers their events."""
    start = len(chat.texts)
    arena.write(chat, lines(count, chance, until=arena.clock.now(), start=start))
    return chat.versions[start:]


def _say(arena: Arena, chat: Chat, chance: random.Random, count: int) -> None:
    """Messages whose events come at once, in the middle of a cycle."""
    for event in _write(arena, chat, chance, count):
        arena.deliver(chat, event)


def _one_round(arena: Arena, chat: Chat, events: Delivery[Versioned], crossings: list[int]) -> None:
    """Deliver what arrives, several at a time; what fails is delivered again, as promised."""
    arriving = events.arriving()
    arena.clock.pass_time(60)
    again: list[Versioned] = []

    def deliver(event: Versioned) -> None:
        count = arena.tokens.count(event.message.text)

        def note(recorded: MessageRecorded) -> None:
            before = recorded.pending_tokens - count
            if recorded.newly_counted and before < TRIGGER <= recorded.pending_tokens:
                crossings[0] += 1

        if not arena.deliver(chat, event, note):
            again.append(event)

    each(deliver, arriving)
    while again:
        retried, again[:] = list(again), []
        for event in retried:
            deliver(event)
    arena.clock.pass_time(60)
    arena.queue.deliver_due(arena.work)


def _exact(arena: Arena, chat: Chat, stored: StoredThread, crossings: int) -> list[str]:
    """The exact total, and one cycle for each time that the trigger was crossed."""
    total = sum(map(arena.tokens.count, chat.texts.values()))
    consumed = sum(one.consumed.tokens for one in stored.applied if one.consumed)
    problems = []
    if consumed + stored.counter.pending_tokens != total:
        problems.append(f"{consumed} consumed and {stored.counter} are not {total} tokens")
    if len(stored.applied) != crossings:
        problems.append(f"{len(stored.applied)} cycles for {crossings} crossings")
    if stored.counter.pending_tokens >= TRIGGER:
        problems.append("as much is pending as makes a cycle due")
    return problems
