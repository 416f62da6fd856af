"""The stories that a worker may die in: a message that makes a cycle due, and a first memory."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from shared.model.thread import ThreadKey
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, write_plays
from tests.battery.lost_calls import CrashedError, Mode, Plan, laid

SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0)
MESSAGES = 6


@dataclass(frozen=True)
class Story:
    """`tell` delivers the first event of the chat that `open` makes; True when it is acknowledged.

    `extra_calls` is how many model calls the story takes besides the one that makes the memory.
    """

    name: str
    open: Callable[[Arena, random.Random], Chat]
    tell: Callable[[Arena, Chat, Plan], bool]
    extra_calls: int = 0


@dataclass
class Told:
    """A story as it was told under a plan, and how the model had been asked by then."""

    chat: Chat
    story: Story
    plan: Plan
    acknowledged: bool
    calls: int
    is_kept: bool


def tell(arena: Arena, story: Story, chance: random.Random, at: int | None, mode: Mode) -> Told:
    """Tell the story in a chat of its own, with a fault at the `at`-th remote call."""
    chat = story.open(arena, chance)
    plan = Plan(at=at, mode=mode)
    acknowledged = story.tell(arena, chat, plan)
    cycle = arena.ports.memory.read_cycle(chat.key, 1).cycle
    return Told(
        chat=chat,
        story=story,
        plan=plan,
        acknowledged=acknowledged,
        calls=arena.ledger.paid[chat.key].calls,
        is_kept=cycle is not None and cycle.output is not None,
    )


def listen(arena: Arena) -> None:
    """While the model thinks for the first time about a chat, one more message comes in."""
    heard: set[ThreadKey] = set()

    def more(key: ThreadKey) -> None:
        if key in heard:
            return
        heard.add(key)
        chat = arena.chats[key]
        start = len(chat.texts)
        arena.write(chat, lines(1, random.Random(start), until=arena.clock.now(), start=start))
        arena.deliver(chat, chat.versions[-1])

    arena.model.meanwhile = more


def _open_due(arena: Arena, chance: random.Random) -> Chat:
    """All messages counted but the last, which crosses the trigger."""
    messages = lines(MESSAGES, chance, until=arena.clock.now(), words=10)
    return arena.open_chat(messages, counted=MESSAGES - 1)


def _tell_message(arena: Arena, chat: Chat, plan: Plan) -> bool:
    """The trigger, then the task that it put on the queue: the whole of a cycle."""
    done = False
    with suppress(CrashedError), laid(plan):
        plan.phase = "trigger"
        done = arena.deliver(chat, chat.versions[MESSAGES - 1])
    plan.phase = "cycle"
    for task in arena.queue.take_due(chat.key):
        worked = False
        with suppress(CrashedError), laid(None if plan.is_dead else plan):
            worked = arena.work(task)
        arena.queue.settle(task, done=worked)
    return done


def _open_played(*, episodes: int, summarized: bool) -> Callable[[Arena, random.Random], Chat]:
    def opened(arena: Arena, chance: random.Random) -> Chat:
        chat = arena.open_chat(status=None)
        write_plays(arena.client, chat.key.uid, episodes=episodes, summarized=summarized)
        return chat

    return opened


def _tell_seed(arena: Arena, chat: Chat, plan: Plan) -> bool:
    plan.phase = "seed"
    with suppress(CrashedError), laid(plan):
        return arena.seed(chat)
    return False


MESSAGE = Story("message", _open_due, _tell_message)
SEED = Story("seed", _open_played(episodes=2, summarized=True), _tell_seed)
WRITING_SEED = Story(
    "seed that writes summaries",
    _open_played(episodes=1, summarized=False),
    _tell_seed,
    extra_calls=1,
)
