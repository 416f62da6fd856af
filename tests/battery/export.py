"""Export: what was written comes out, whole and one's own, before all of it goes."""

import json
import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from functions.adapters.clock import SystemChance
from functions.adapters.firestore.export_allowance import FirestoreExportAllowance
from functions.adapters.firestore.user_records import FirestoreUserRecords
from shared.exporting.export_document import Export
from shared.exporting.export_my_data import ExportMyData, export_my_data
from shared.exporting.export_ports import ExportPorts
from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES, Slot
from shared.model.thread import Message, ThreadKey
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, write_plays
from tests.battery.estates import left_of, some
from tests.battery.runner import Size, Tally
from tests.battery.stored import read_stored

SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0, exports_per_day=0)
HOURS = timedelta(hours=3)
NEIGHBOURS = 5  # users who share a database


def export(chance: random.Random, size: Size) -> Tally:
    """Users with some chats are exported, deleted, and compared with what had been written.

    The public fault: an export that leaves out what does not fit a page, or hands out what is
    somebody else's; a deletion that keeps what was never exported.
    """
    runs = size.of(50, NEIGHBOURS)
    tally, messages, files = Tally(""), 0, 0
    for _ in range(runs // NEIGHBOURS):
        arena = Arena(chance, settings=SETTINGS)
        users = [_move_in(arena, chance, large=number == 0) for number in range(NEIGHBOURS)]
        for user in users:
            problems, is_file = _export_and_delete(arena, user, {one.secret for one in users})
            tally.add(problems, where=f"{len(user.texts)} messages")
            messages, files = messages + len(user.texts), files + is_file
        tally.add(arena.own_problems())
    tally.size = f"{runs} users, {messages} messages"
    tally.note = f"{files} exports were files"
    return tally


@dataclass
class _User:
    """What was written of a user; `secret` stands in all of theirs, and in nobody else's."""

    uid: str
    secret: str
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    slots: dict[tuple[str, str], str] = field(default_factory=dict)
    entries: set[tuple[str, str]] = field(default_factory=set)
    withdrawn: set[tuple[str, str]] = field(default_factory=set)
    cycles: set[tuple[str, str]] = field(default_factory=set)


def _move_in(arena: Arena, chance: random.Random, *, large: bool) -> _User:
    """One to three chats, one of them with a memory of its own making, plays and an image."""
    chat = arena.open_chat(lines(6, chance, until=arena.clock.now(), words=10), counted=5)
    user = _User(uid=chat.key.uid, secret=f"비밀{chat.key.uid[:12]}")
    arena.deliver(chat, chat.versions[-1])
    arena.queue.drain(arena.work, within=HOURS)
    write_plays(arena.client, user.uid, episodes=2, summarized=True)
    arena.bucket.put(f"users/{user.uid}/images/{user.secret}.jpg", "사진")
    said = {chat.key.soul_id: dict(chat.texts)}
    for number in range(chance.randint(1, 3)):
        key = ThreadKey(uid=user.uid, soul_id=f"친구{number}")
        said[key.soul_id] = _chat_long(arena, key, chance, user.secret, large=large)
    for soul_id, texts in said.items():
        user.texts |= {(soul_id, name): text for name, text in texts.items()}
        _note_memory(arena, user, ThreadKey(uid=user.uid, soul_id=soul_id))
    return user


def _chat_long(
    arena: Arena, key: ThreadKey, chance: random.Random, secret: str, *, large: bool
) -> dict[str, str]:
    """Messages beyond a page, many at the same moment; slots, entries, active and withdrawn."""
    chat, count = Chat(key), chance.randint(1_050, 1_400) if large else chance.randint(20, 320)
    words = 120 if large else 6  # a large chat is more than a page and an answer hold
    messages = lines(count, chance, until=arena.clock.now(), words=words)
    for start in range(0, count, 400):
        arena.write(chat, [_at_once(one, secret) for one in messages[start : start + 400]])
    batch, paths = arena.client.batch(), arena.paths
    for name in SLOT_NAMES:
        slot = Slot(content=f"- {secret} {name}", version=1, cycle_id="000001")
        batch.set(paths.slot(key, name), slot.model_dump())
    for index in range(chance.randint(1, 8)):
        where = paths.lorebook(key) if index % 3 else paths.under(key, "withdrawn_entries")
        entry = _entry(index, secret, arena)
        batch.set(where.document(entry.entry_id), entry.model_dump())
    batch.commit()
    return dict(chat.texts)


def _at_once(message: Message, secret: str) -> Message:
    """Seven messages share each moment, so that pages end in the middle of one."""
    number = int(message.message_id[1:])
    created_at = message.created_at - timedelta(seconds=number % 7)
    text = f"{message.text} {secret}"
    return message.model_copy(update={"created_at": created_at, "text": text})


def _entry(index: int, secret: str, arena: Arena) -> LorebookEntry:
    return LorebookEntry(
        title=f"{secret} {index}",
        keywords=("필름",),
        occurred_at="(시간 불명)",
        record="소희가 필름을 맡겼다.",
        cycle_id="000001",
        index=index,
        created_at=arena.clock.now(),
    )


def _note_memory(arena: Arena, user: _User, key: ThreadKey) -> None:
    """What stands in the database, read by the battery's own reader."""
    stored = read_stored(arena.client, key)
    user.slots |= {(key.soul_id, name): one.content for name, one in stored.slots.items()}
    user.entries |= {(key.soul_id, one) for one in stored.entries}
    user.cycles |= {(key.soul_id, one) for one in stored.cycles}
    withdrawn = arena.paths.under(key, "withdrawn_entries").stream()
    user.withdrawn |= {(key.soul_id, one.id) for one in withdrawn}


def _export_and_delete(arena: Arena, user: _User, secrets: set[str]) -> tuple[list[str], bool]:
    """The problems, and whether the export was a file."""
    ports = ExportPorts(
        records=FirestoreUserRecords(arena.client),
        files=arena.bucket,
        allowance=FirestoreExportAllowance(arena.client),
        deletions=arena.leaving.deletions,
        clock=arena.clock,
        chance=SystemChance(),
        settings=arena.settings,
    )
    answer = export_my_data(ExportMyData(uid=user.uid), ports=ports)
    is_file = answer.url is not None
    text = json.dumps(answer.export, ensure_ascii=False)
    if answer.url is not None:
        text = arena.bucket.files[answer.url.removeprefix("https://storage.example/")]
    delete_my_data(DeleteMyData(uid=user.uid), ports=arena.leaving)
    others = [one for one in secrets - {user.secret} if one in text]
    problems = [
        *_missing(user, Export.model_validate_json(text)),
        *(["another user's words are in it"] if others else []),
        *some(left_of(arena, user.uid)),
    ]
    return problems, is_file


def _missing(user: _User, given: Export) -> list[str]:
    """Where the export differs from what was written."""
    threads = {one.soul_id: one for one in given.threads}
    found: dict[str, tuple[Any, Any]] = {
        "messages": (
            {(s, m.message_id): m.text for s, one in threads.items() for m in one.messages},
            user.texts,
        ),
        "slots": (
            {(s, name): o.content for s, t in threads.items() for name, o in t.slots.items()},
            user.slots,
        ),
        "lorebook": (
            {(s, e.entry_id) for s, t in threads.items() for e in t.lorebook},
            user.entries,
        ),
        "withdrawn entries": (
            {(s, e.entry_id) for s, t in threads.items() for e in t.withdrawn_entries},
            user.withdrawn,
        ),
        "cycles": ({(s, c.cycle_id) for s, t in threads.items() for c in t.cycles}, user.cycles),
        "plays": ([one.play.play_id for one in given.plays], ["p1", "p2"]),
        "summaries": ([len(one.summaries) for one in given.plays], [2, 2]),
        "images": (
            [one.path for one in given.images],
            [f"users/{user.uid}/images/{user.secret}.jpg"],
        ),
        "budgets": ([one.exports for one in given.budgets], [1]),
        "unreadable": (list(given.unreadable), []),
    }
    order = [
        soul_id
        for soul_id, one in threads.items()
        if list(one.messages) != sorted(one.messages, key=lambda m: (m.created_at, m.message_id))
    ]
    return [
        *(f"{what} differ" for what, (exported, written) in found.items() if exported != written),
        *(["messages are out of order"] if order else []),
    ]
