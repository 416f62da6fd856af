"""Deletion: killed every hundred documents, with others at work on the same user."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.leaving.nightly_sweep import nightly_sweep
from shared.model.thread import ThreadKey
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines, write_plays
from tests.battery.departure_stories import tell_of_deletion
from tests.battery.departures import departures
from tests.battery.estates import left_of, some, versions_of, write_estate
from tests.battery.lost_calls import CrashedError, Mode, Plan, laid
from tests.battery.runner import Size, Tally
from tests.battery.task_queue import Task

T = TypeVar("T")
SETTINGS = Settings(cycle_trigger_tokens=60, settle_seconds=0)
MESSAGES = 6
DAY = timedelta(days=1)
# At which commit of an attempt it dies: most commits take away a hundred documents.
KILLS: tuple[tuple[int, Mode], ...] = ((0, "after"), (0, "after"), (1, "after"), (2, "before"))


def deletion(chance: random.Random, size: Size) -> Tally:
    """Users of thousands of documents leave while cycles, triggers and their app are at work.

    The public fault: a deletion that is never finished, and memory that a late worker writes back
    for somebody who has left.
    """
    runs = size.of(30, 1)
    tally = Tally("")
    farewells = [_Farewell(random.Random(chance.random()), size) for _ in range(runs)]
    for one in farewells:
        tally.add(one.run(), where=f"{one.count} documents")
    points = departures(tally, chance, size)
    documents, kills = sum(one.count for one in farewells), sum(one.kills for one in farewells)
    tally.size = f"{documents} documents of {runs} users; {points} points"
    tally.note = (
        f"{kills} kills; {sum(one.late for one in farewells)} came late; "
        f"{_documents_a_second(chance, size):.0f} documents a second unkilled"
    )
    return tally


@dataclass
class _AtCommit(Plan):
    """A plan that counts commits alone."""

    def around(self, name: str, call: Callable[[], T]) -> T:
        if name == "commit":
            return super().around(name, call)
        if self.is_dead:
            raise CrashedError
        return call()


@dataclass
class _Farewell:
    """One user who leaves, and one who stays, in a world of their own."""

    chance: random.Random
    size: Size
    count: int = 0
    kills: int = 0
    late: int = 0
    by_trigger: bool = False
    arena: Arena = field(init=False)
    chat: Chat = field(init=False)

    def run(self) -> list[str]:
        self.arena = arena = Arena(self.chance, settings=SETTINGS)
        self.chat = self._move_in(self.chance.randint(*self._bounds()))
        other = ThreadKey(uid=f"{self.uid}0", soul_id=self.chat.key.soul_id)
        self._settle(other.uid, 200)
        before = versions_of(arena, other.uid)
        self._leave_while_a_cycle_runs()
        resurrected = [*some(left_of(arena, self.uid)), *self._come_late()]
        self._one_night()
        return [
            *resurrected,
            *some(left_of(arena, self.uid)),
            *([] if versions_of(arena, other.uid) == before else ["another user's was touched"]),
            *([] if arena.leaving.deletions.read(self.uid) else ["no tombstone stands"]),
            *([] if self._was_killed_often() else [f"only {self.kills} kills"]),
            *arena.own_problems(),
        ]

    def _was_killed_often(self) -> bool:
        """Unless the trigger of a late message has done the rest, which nothing killed."""
        return self.by_trigger or self.kills > self.count // 200

    def _bounds(self) -> tuple[int, int]:
        return self.size.of(5_000, 800), self.size.of(12_000, 1_200)

    @property
    def uid(self) -> str:
        return self.chat.key.uid

    def _move_in(self, count: int) -> Chat:
        """A due chat, and all that has come together beside it."""
        messages = lines(MESSAGES, self.chance, until=self.arena.clock.now(), words=10)
        self.chat = chat = self.arena.open_chat(messages, counted=MESSAGES - 1)
        self._settle(chat.key.uid, count)
        self.count = len(left_of(self.arena, chat.key.uid))
        return chat

    def _settle(self, uid: str, count: int) -> None:
        write_estate(self.arena.client, uid, count, self.chance)
        write_plays(self.arena.client, uid, episodes=2, summarized=True)
        for number in range(5):
            self.arena.bucket.put(f"users/{uid}/images/{number}.jpg", "사진")
        self.arena.bucket.put(f"exports/{uid}/1.json", "{}")

    def _leave_while_a_cycle_runs(self) -> None:
        """The user leaves while the cycle's model thinks, or the task comes while they leave."""
        arena, chat = self.arena, self.chat
        arena.deliver(chat, chat.versions[-1])
        (task,) = arena.queue.take_due(chat.key)
        if self.chance.random() < 0.5:
            attempts = self.chance.choice((5, 10**9))
            arena.model.meanwhile = lambda _: self._delete(attempts)
            arena.work(task)
        else:
            self._delete(self.chance.randrange(1, 20))
            arena.work(task)
        self.by_trigger = bool(self._killed(lambda: arena.deliver(chat, chat.versions[0])))
        self._delete(10**9)
        arena.work(Task(chat.key, 1, arena.clock.now()))

    def _delete(self, attempts: int) -> None:
        """Attempt after attempt, each of them killed, until one comes to the end."""
        command = DeleteMyData(uid=self.uid)
        for _ in range(attempts):
            done = self._killed(lambda: delete_my_data(command, ports=self.arena.leaving))
            if done is not None and done.finished:
                return

    def _killed(self, work: Callable[[], T]) -> T | None:
        """What it came to; None where its worker died of it."""
        at, mode = self.chance.choice(KILLS)
        plan = _AtCommit(at=at, mode=mode)
        with suppress(CrashedError), laid(plan):
            return work()
        self.kills += 1
        return None

    def _come_late(self) -> list[str]:
        """Events of before, and what an app that was offline writes; the triggers clear it."""
        arena, chat = self.arena, self.chat
        arena.seed(chat)
        for event in chat.versions:
            arena.deliver(chat, event)
        told = [tell_of_deletion(arena, chat, event) for event in chat.versions]
        again = [] if all(told) else ["events of what was deleted would come again and again"]
        written = lines(3, self.chance, until=arena.clock.now(), start=100)
        arena.write(chat, written)
        arena.paths.thread(chat.key).set({"created_at": arena.clock.now()})
        self.late += 4
        arena.deliver(chat, chat.versions[-1])
        problems = [*some(left_of(arena, self.uid))]
        arena.paths.thread(chat.key).set({"created_at": arena.clock.now()})
        self.late += 1
        arena.seed(chat)
        return [*again, *problems, *some(left_of(arena, self.uid))]

    def _one_night(self) -> None:
        """What came and whose trigger was lost, or has none, waits for the nightly sweep."""
        arena, chat = self.arena, self.chat
        arena.write(chat, lines(2, self.chance, until=arena.clock.now(), start=200))
        arena.client.document(f"users/{self.uid}/plays/p9").set({"episode_id": "e9"})
        arena.bucket.put(f"users/{self.uid}/images/늦은.jpg")
        self.late += 4
        arena.clock.pass_time(DAY.total_seconds())
        arena.sweep()
        nightly_sweep(ports=arena.leaving)


def _documents_a_second(chance: random.Random, size: Size) -> float:
    """One deletion that nobody disturbs."""
    arena = Arena(chance, settings=SETTINGS)
    write_estate(arena.client, "소라", size.of(5_000, 500), chance)
    started = time.perf_counter()
    deleted = delete_my_data(DeleteMyData(uid="소라"), ports=arena.leaving)
    return deleted.documents / (time.perf_counter() - started)
