"""Drops: a tenth of all events never arrive, nor do some tasks; one sweep must make up for it."""

import random
from datetime import timedelta

from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.model.thread import Message
from shared.ports import Versioned
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.delivery import Delivery
from tests.battery.runner import Size, Tally, each
from tests.factories import NOW

SHARE = 0.1
TASKS = 0.3
EACH = 50
PAST = timedelta(minutes=20)
HOURS = timedelta(hours=3)


def drops(chance: random.Random, size: Size) -> Tally:
    """Chats of fifty messages whose triggers, seeds and tasks are lost in part.

    The public fault: retries that vanish. An event whose function fails is dropped, a task is
    deleted after its last attempt, and nobody ever looks for what they were to do.
    """
    count = size.of(1_000, 100)
    said = [lines(EACH, chance, until=NOW) for _ in range(count // EACH)]
    arena = Arena(chance, settings=Settings(cycle_trigger_tokens=_trigger(said)))
    arena.queue.drop = TASKS
    chats = [arena.open_chat(messages, status=None) for messages in said]
    dropped = _deliver_most(arena, chats, chance)
    arena.queue.deliver_due(arena.work)
    arena.queue.drain(arena.work, within=HOURS)
    arena.queue.drop = 0.0
    arena.clock.pass_time(PAST.total_seconds())
    report = arena.sweep()
    arena.queue.drain(arena.work, within=HOURS)
    tally = Tally(f"{count} messages, {SHARE:.0%} of events dropped, 1 sweep")
    for chat in chats:
        tally.add([*arena.problems(chat), *_unfinished(arena, chat)])
    tally.add([*arena.own_problems(), *([f"the sweep failed: {report}"] if report.failed else [])])
    tally.note = (
        f"{dropped} events and {arena.queue.dropped} tasks lost; the sweep counted "
        f"{report.messages_counted}, roused {report.cycles_roused}, seeded {report.seeds_asked}"
    )
    return tally


def _trigger(said: list[list[Message]]) -> int:
    """What every chat reaches, and about half of them even without what is lost."""
    tokens = TiktokenCounter()
    least = min(sum(tokens.count(one.text) for one in messages) for messages in said)
    return round(least * (1 - SHARE))


def _deliver_most(arena: Arena, chats: list[Chat], chance: random.Random) -> int:
    """Everybody writes; what arrives is delivered. Answers how many events were lost."""
    events: Delivery[tuple[Chat, Versioned]] = Delivery(chance, drop=SHARE)
    opened: Delivery[Chat] = Delivery(chance, drop=SHARE)
    opened.send(chats)
    for chat in opened.arriving():
        arena.seed(chat)
    for chat in chats:
        events.send((chat, one) for one in chat.versions)
    arena.clock.pass_time(60)
    each(lambda event: arena.deliver(*event), events.arriving())
    return events.dropped + opened.dropped


def _unfinished(arena: Arena, chat: Chat) -> list[str]:
    """After the sweep every message is counted, every due cycle applied, every seed done."""
    stored = arena.stored(chat)
    uncounted = sum(one.token_count is None for one in stored.messages)
    due = stored.counter.pending_tokens >= arena.settings.cycle_trigger_tokens
    return [
        *([f"{uncounted} messages were never counted"] if uncounted else []),
        *(["a cycle is due and was not asked for"] if due else []),
        *(["the seed was forgotten"] if stored.thread.memory_status != "empty" else []),
    ]
