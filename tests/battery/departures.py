"""A user leaves at every point of everybody's work, and the leaving dies at every point."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from functions.adapters.clock import SystemChance
from functions.adapters.firestore.export_allowance import FirestoreExportAllowance
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.user_records import FirestoreUserRecords
from shared.errors import DocumentNotFoundError, ReplyFailedError, UserGoneError
from shared.exporting.export_my_data import ExportMyData, export_my_data
from shared.exporting.export_ports import ExportPorts
from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.model.generation import Generation
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from shared.replying.reply_ports import ChatRequest
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, write_plays
from tests.battery.estates import left_of, some, write_estate
from tests.battery.lost_calls import MODES, CrashedError, Mode, Plan, laid
from tests.battery.runner import Size, Tally
from tests.composing_on import composing_on

SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0, exports_per_day=0)
MESSAGES = 6
OLD = 3_600.0  # seconds after which a sweep looks
CUT = 12


@dataclass(frozen=True)
class Story:
    """Work for a user who may leave in the middle of it."""

    name: str
    open: Callable[[Arena, random.Random], Chat]
    tell: Callable[[Arena, Chat], object]


def departures(tally: Tally, chance: random.Random, size: Size) -> int:
    """Answers how many points there are."""
    arena = Arena(chance, settings=SETTINGS)
    points = [*_leavings(arena, chance), *_deaths(arena, chance)]
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
            points.append((where, _at(arena, story, at)))
    return points


def _at(arena: Arena, story: Story, at: int) -> Callable[[], list[str]]:
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
        for event in chat.versions[events:]:
            arena.deliver(chat, event)
        missed = [] if plan.happened else ["the point was never reached"]
        return [*missed, *some(left_of(arena, chat.key.uid))]

    return leave


def _deaths(arena: Arena, chance: random.Random) -> list[Point]:
    """Every remote call of a deletion, its worker dying there, or the answer lost."""
    rehearsal = Plan()
    chat = _open_full(arena, chance)
    with laid(rehearsal):
        _delete(arena, chat)
    return [
        (f"deletion, {mode} {name} (call {at})", _dying(arena, at, mode))
        for at, name in enumerate(rehearsal.seen)
        for mode in MODES
    ]


def _dying(arena: Arena, at: int, mode: Mode) -> Callable[[], list[str]]:
    def die() -> list[str]:
        chat = _open_full(arena, random.Random(at))
        with suppress(CrashedError), laid(Plan(at=at, mode=mode)):
            _delete(arena, chat)
        _delete(arena, chat)
        stone = arena.leaving.deletions.read(chat.key.uid)
        ended = stone is not None and stone.finished_at is not None
        return [*some(left_of(arena, chat.key.uid)), *([] if ended else ["it never ended"])]

    return die


def _delete(arena: Arena, chat: Chat) -> None:
    delete_my_data(DeleteMyData(uid=chat.key.uid), ports=arena.leaving)


def _open_due(arena: Arena, chance: random.Random) -> Chat:
    """All messages counted but the last, which crosses the trigger."""
    messages = lines(MESSAGES, chance, until=arena.clock.now(), words=10)
    return arena.open_chat(messages, counted=MESSAGES - 1)


def _open_new(arena: Arena, chance: random.Random) -> Chat:
    return arena.open_chat(lines(1, chance, until=arena.clock.now()))


def _open_asked(arena: Arena, chance: random.Random) -> Chat:
    """A cycle is on the queue."""
    chat = _open_due(arena, chance)
    arena.deliver(chat, chat.versions[-1])
    return chat


def _open_played(arena: Arena, chance: random.Random) -> Chat:
    chat = arena.open_chat(status=None)
    write_plays(arena.client, chat.key.uid, episodes=2, summarized=True)
    return chat


def _open_answered(arena: Arena, chance: random.Random) -> Chat:
    """A reply has been given, and the user has said more."""
    chat = _open_new(arena, chance)
    _reply(arena, chat)
    arena.clock.pass_time(60)
    arena.write(chat, lines(1, chance, until=arena.clock.now(), start=2))
    return chat


def _open_lost(arena: Arena, chance: random.Random) -> Chat:
    """Neither the thread's trigger nor its messages' ever came."""
    chat = arena.open_chat(lines(MESSAGES, chance, until=arena.clock.now(), words=10), status=None)
    arena.clock.pass_time(OLD)
    return chat


def _open_full(arena: Arena, chance: random.Random) -> Chat:
    chat = _open_asked(arena, chance)
    write_estate(arena.client, chat.key.uid, 150, chance)
    arena.bucket.put(f"users/{chat.key.uid}/images/1.jpg")
    return chat


def _work(arena: Arena, chat: Chat) -> None:
    for task in arena.queue.take_due(chat.key):
        arena.work(task)


def _reply(arena: Arena, chat: Chat) -> None:
    """`generate_reply`; each call is a fresh instance, which knows no chat yet."""
    ports = ReplyPorts(
        composing=composing_on(arena.client, arena.ports, arena.settings),
        replies=FirestoreReplies(arena.client),
        model=_Talker(),
        chance=SystemChance(),
        aside=lambda call: call,
    )
    command = GenerateReply(thread=chat.key, request_id=SystemChance().token())
    with suppress(ReplyFailedError, DocumentNotFoundError, UserGoneError):
        generate_reply(command, ports=ports, tell=lambda _: None)


def _export(arena: Arena, chat: Chat) -> None:
    ports = ExportPorts(
        records=FirestoreUserRecords(arena.client),
        files=arena.bucket,
        allowance=FirestoreExportAllowance(arena.client),
        deletions=arena.leaving.deletions,
        clock=arena.clock,
        chance=SystemChance(),
        settings=arena.settings,
    )
    with suppress(UserGoneError):
        export_my_data(ExportMyData(uid=chat.key.uid), ports=ports)


class _Talker:
    """A chat's model that always says the same."""

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        heard("그래, 또 보자.")
        return Generation(
            text="그래, 또 보자.",
            model_asked=request.models[0],
            model_answered=request.models[0],
            tokens_in=10,
            tokens_out=5,
            latency_ms=1,
        )


STORIES = (
    Story("message", _open_due, lambda arena, chat: arena.deliver(chat, chat.versions[-1])),
    Story("first message", _open_new, lambda arena, chat: arena.deliver(chat, chat.versions[-1])),
    Story("cycle", _open_asked, _work),
    Story("seed", _open_played, Arena.seed),
    Story("first reply", _open_new, _reply),
    Story("next reply", _open_answered, _reply),
    Story("sweep", _open_lost, lambda arena, chat: arena.sweep()),
    Story("export", _open_due, _export),
)
