"""A user leaves at every point of everybody's work, and the leaving dies at every point."""

import random
from collections.abc import Callable
from contextlib import suppress

from functions.adapters.firestore.replies import FirestoreReplies
from shared.errors import StaleClaimError
from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.model.reply import Bubble, LiveReply
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.departure_stories import STORIES, Story, open_full
from tests.battery.estates import left_of, some
from tests.battery.lost_calls import MODES, CrashedError, Mode, Plan, laid
from tests.battery.runner import Size, Tally

SETTINGS = Settings(
    cycle_trigger_tokens=60, settle_seconds=0, exports_per_day=0, import_wait_seconds=0
)
CUT = 12
MOST_OF = 0.8  # of the calls of a rehearsal are made every time


def departures(tally: Tally, chance: random.Random, size: Size) -> int:
    """Answers how many points there are."""
    arena = Arena(chance, settings=SETTINGS)
    points = [*_leavings(arena, chance), *_deaths(arena, chance), *_meetings(arena, chance)]
    for where, try_it in points if size.full else chance.sample(points, CUT):
        tally.add(try_it(), where=where)
    tally.add(arena.own_problems())
    return len(points)


Point = tuple[str, Callable[[], list[str]]]


def _leavings(arena: Arena, chance: random.Random) -> list[Point]:
    """Every remote call of every story, the user leaving just before it."""
    points: list[Point] = []
    for story in STORIES:
        rehearsal = Plan()
        chat = story.open(arena, chance)
        with laid(rehearsal):
            story.tell(arena, chat)
        _delete(arena, chat)
        for at, name in enumerate(rehearsal.seen):
            where = f"{story.name}, leaves before {name} (call {at})"
            points.append((where, _at(arena, story, at, len(rehearsal.seen))))
    return points


def _at(arena: Arena, story: Story, at: int, calls: int) -> Callable[[], list[str]]:
    def leave() -> list[str]:
        chat = story.open(arena, random.Random(at))
        events = len(chat.versions)

        def go() -> None:
            _delete(arena, chat)
            if at % 2:  # the app was offline, and sends what was written there
                late = lines(1, random.Random(at), until=arena.clock.now(), start=50)
                arena.write(chat, late)

        plan = Plan(at=at, pause=go)
        with laid(plan):
            story.tell(arena, chat)
        if not plan.happened:  # it made a call less than in rehearsal
            _delete(arena, chat)
        for event in chat.versions[events:]:
            arena.deliver(chat, event)
        reached = plan.happened or at > MOST_OF * calls
        missed = [] if reached else ["the point was never reached"]
        return [*missed, *some(left_of(arena, chat.key.uid))]

    return leave


def _deaths(arena: Arena, chance: random.Random) -> list[Point]:
    """Every remote call of a deletion, its worker dying there, or the answer lost."""
    rehearsal = Plan()
    chat = open_full(arena, chance)
    with laid(rehearsal):
        _delete(arena, chat)
    return [
        (f"deletion, {mode} {name} (call {at})", _dying(arena, at, mode))
        for at, name in enumerate(rehearsal.seen)
        for mode in MODES
    ]


def _dying(arena: Arena, at: int, mode: Mode) -> Callable[[], list[str]]:
    def die() -> list[str]:
        chat = open_full(arena, random.Random(at))
        with suppress(CrashedError), laid(Plan(at=at, mode=mode)):
            _delete(arena, chat)
        _delete(arena, chat)
        stone = arena.leaving.deletions.read(chat.key.uid)
        ended = stone is not None and stone.finished_at is not None
        return [*some(left_of(arena, chat.key.uid)), *([] if ended else ["it never ended"])]

    return die


def _meetings(arena: Arena, chance: random.Random) -> list[Point]:
    """Just before every remote call of a deletion, somebody else comes to the end of their work."""
    rehearsal = Plan()
    chat = open_full(arena, chance)
    with laid(rehearsal):
        _delete(arena, chat)
    return [
        (f"deletion meets {name} before {call} (call {at})", _meeting(arena, at, begin))
        for at, call in enumerate(rehearsal.seen)
        for name, begin in (("a message", _begin_message), ("a reply", _begin_reply))
    ]


def _meeting(
    arena: Arena, at: int, begin: Callable[[Arena, Chat], Callable[[], None]]
) -> Callable[[], list[str]]:
    def meet() -> list[str]:
        chat = open_full(arena, random.Random(at))
        with laid(Plan(at=at, pause=begin(arena, chat))):
            _delete(arena, chat)
        return list(some(left_of(arena, chat.key.uid)))

    return meet


def _begin_message(arena: Arena, chat: Chat) -> Callable[[], None]:
    """The app writes while the counter may still stand, so that its trigger finds nothing amiss."""

    def end() -> None:
        arena.write(chat, lines(1, random.Random(1), until=arena.clock.now(), start=50))
        arena.deliver(chat, chat.versions[-1])

    return end


def _begin_reply(arena: Arena, chat: Chat) -> Callable[[], None]:
    """A reply was begun before, and its turn is written now."""
    replies, now = FirestoreReplies(arena.client), arena.clock.now()
    begun = LiveReply(
        status="writing", request_id="r1", generation_id="g1", requested_at=now, expires_at=now
    )
    held, _ = replies.claim(chat.key, None, begun, day="2026-05-28")
    bubbles = [Bubble(message_id="g1-00", text="그래, 또 보자.")]

    def end() -> None:
        with suppress(StaleClaimError):
            replies.commit(chat.key, held, held.reply, bubbles, replaced=())

    return end


def _delete(arena: Arena, chat: Chat) -> None:
    delete_my_data(DeleteMyData(uid=chat.key.uid), ports=arena.leaving)
