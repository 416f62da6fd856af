"""Work for a user who may leave in the middle of it: every way in which something is written."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from google.api_core.exceptions import NotFound

from functions.adapters.clock import SystemChance
from functions.adapters.firestore.export_allowance import FirestoreExportAllowance
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.user_records import FirestoreUserRecords
from shared.errors import (
    DocumentNotFoundError,
    ReplyFailedError,
    SoulMemoryError,
    UserGoneError,
)
from shared.exporting.export_my_data import ExportMyData, export_my_data
from shared.exporting.export_ports import ExportPorts
from shared.forgetting.record_change import (
    RecordDeletion,
    RecordEdit,
    record_deletion,
    record_edit,
)
from shared.importing.load_recent_memories import LoadRecentMemories, load_recent_memories
from shared.model.generation import Generation
from shared.ports import Versioned
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from shared.replying.reply_ports import ChatRequest
from shared.rolling_back.rollback_memory import RollbackMemory, rollback_memory
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, play_on, write_plays
from tests.battery.estates import write_estate
from tests.composing_on import composing_on

MESSAGES = 6
OLD = 3_600.0  # seconds after which a sweep looks


@dataclass(frozen=True)
class Story:
    """Work for a user who may leave in the middle of it."""

    name: str
    open: Callable[[Arena, random.Random], Chat]
    tell: Callable[[Arena, Chat], object]


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
    """A reply has been given, by the database's own clock, and the user has said more."""
    chat = _open_new(arena, chance)
    _reply(arena, chat)
    (given,) = arena.ports.threads.latest_messages(chat.key, None, limit=1)
    arena.write(chat, lines(1, chance, until=given.created_at + timedelta(seconds=1), start=2))
    return chat


def _open_remembered(arena: Arena, chance: random.Random) -> Chat:
    """A cycle has been applied, and the user has said more."""
    chat = _open_asked(arena, chance)
    _work(arena, chat)
    arena.clock.pass_time(60)
    arena.write(chat, lines(2, chance, until=arena.clock.now(), start=30), counted=2)
    return chat


def _open_loading(arena: Arena, chance: random.Random) -> Chat:
    """A first memory, and an episode that was played on since."""
    chat = _open_played(arena, chance)
    arena.seed(chat)
    arena.clock.pass_time(60)
    play_on(arena.client, chat.key.uid, 3, summaries=range(2), at=arena.clock.now())
    return chat


def _open_lost(arena: Arena, chance: random.Random) -> Chat:
    """Neither the thread's trigger nor its messages' ever came."""
    chat = arena.open_chat(lines(MESSAGES, chance, until=arena.clock.now(), words=10), status=None)
    arena.clock.pass_time(OLD)
    return chat


def open_full(arena: Arena, chance: random.Random) -> Chat:
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


def tell_of_deletion(arena: Arena, chat: Chat, event: Versioned) -> bool:
    """`on_message_deleted`; False where the platform would deliver again."""
    deletion = RecordDeletion(thread=chat.key, message=event.message, changed_at=arena.clock.now())
    return arena.attempt(chat.key, lambda: record_deletion(deletion, ports=arena.changing))


def _delete_message(arena: Arena, chat: Chat) -> None:
    """The owner deletes what memory holds, and what it does not."""
    for event in (chat.versions[0], chat.versions[-1]):
        arena.paths.messages(chat.key).document(event.message.message_id).delete()
        tell_of_deletion(arena, chat, event)


def _edit_message(arena: Arena, chat: Chat) -> None:
    """The owner puts what memory holds in other words."""
    before = chat.versions[0].message
    with suppress(NotFound):
        reference = arena.paths.messages(chat.key).document(before.message_id)
        reference.update({"text": "다시 쓴 말이야"})
    edit = RecordEdit(thread=chat.key, before=before, changed_at=arena.clock.now())
    arena.attempt(chat.key, lambda: record_edit(edit, ports=arena.changing))


def _roll_back(arena: Arena, chat: Chat) -> None:
    command = RollbackMemory(thread=chat.key, generation=0, request_id="b1", requested_by="ops")
    with suppress(SoulMemoryError):
        rollback_memory(command, ports=arena.ports)
    _work(arena, chat)


def _load(arena: Arena, chat: Chat) -> None:
    command = LoadRecentMemories(thread=chat.key, request_id="l1")
    with suppress(SoulMemoryError), arena.ledger.working_on(chat.key):
        load_recent_memories(command, ports=arena.ports)
    _work(arena, chat)


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
    Story("deleted messages", _open_remembered, _delete_message),
    Story("edited message", _open_remembered, _edit_message),
    Story("rollback", _open_remembered, _roll_back),
    Story("import", _open_loading, _load),
    Story("sweep", _open_lost, lambda arena, chat: arena.sweep()),
    Story("export", _open_due, _export),
)
