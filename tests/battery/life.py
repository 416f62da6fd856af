"""One life of a chat: what its people, its operators and its platform do to it."""

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from firebase_functions.https_fn import FunctionsErrorCode, HttpsError

from functions.adapters.firestore.replies import FirestoreReplies
from functions.failures import callable_failures
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.forgetting.record_change import (
    RecordDeletion,
    RecordEdit,
    record_deletion,
    record_edit,
)
from shared.model.generation import Generation
from shared.model.thread import Message
from shared.ports import Versioned
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from shared.replying.reply_ports import ChatRequest
from shared.rolling_back.rollback_memory import RollbackMemory, rollback_memory
from tests.battery.arena import Arena
from tests.battery.chats import WORDS, Chat, play_on
from tests.battery.delivery import Delivery
from tests.battery.lost_calls import MODES, CrashedError, Plan, laid
from tests.composing_on import composing_on

SYLLABLES = "갈날달랄말발살알잘찰칼탈팔할감남담람맘밤삼암잠참캄탐팜함강낭당랑망방상앙장창캉탕팡항"
MOST_CALLS = 30  # of one piece of work; a fault falls on one of them
STORED_AT_MOST = 1_000
MOST_ROUNDS = 20
WHILE_THINKING = 0.3
Event = Callable[[], bool]
"""Delivers an event; False where the platform would deliver it again."""


@dataclass
class Life:
    """A chat in which each message has a word of its own, that nothing else says.

    `gone` are the words that were taken back, and whose events have been settled.
    """

    arena: Arena
    chat: Chat
    chance: random.Random
    faults: float = 0.2
    words: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    seen: list[str] = field(default_factory=list)
    replies: int = 0

    def __post_init__(self) -> None:
        self.events: Delivery[Event] = Delivery(self.chance, copies=2, late=0.3)
        self._said: set[str] = set()
        self._asked: tuple[int, int] | None = None
        self._summaries: dict[int, int] = {}

    def say(self) -> None:
        """The user writes, or the app writes what the Soul answers: a message, or a few."""
        for _ in range(self.chance.choice((1, 2, 3))):
            self._say()

    def _say(self) -> None:
        number = len(self._said)
        text, word = self._text()
        message = Message(
            message_id=f"m{number:05d}",
            role=self.chance.choice(("user", "user", "soul")),
            text=text,
            created_at=self._now(),
        )
        self.arena.write(self.chat, [message])
        self.words[message.message_id] = word
        self._created(self.chat.versions[-1])

    def edit(self) -> None:
        """The user puts a message of theirs in other words."""
        found = [one for one in self._messages() if one.message.role == "user"]
        if not found:
            return
        before = self.chance.choice(found).message
        text, word = self._text()
        written = self._reference(before).update({"text": text})
        self.chat.texts[before.message_id] = text
        old, self.words[before.message_id] = self.words[before.message_id], word
        edit = RecordEdit(thread=self.chat.key, before=before, changed_at=written.update_time)
        self._taken_back(old, lambda: record_edit(edit, ports=self.arena.changing))

    def delete(self) -> None:
        """The user deletes a message, of whichever role."""
        found = self._messages()
        if not found:
            return
        gone = self.chance.choice(found)
        self._reference(gone.message).delete()
        del self.chat.texts[gone.message.message_id]
        self._deleted(gone)

    def reply(self) -> None:
        """The Soul answers, or the last answer is asked for anew."""
        self.replies += 1
        text, word = self._text()
        before = {one.message.message_id: one for one in self._messages()}
        self._at_risk(lambda: self._generate(text))
        after = {one.message.message_id: one for one in self._messages()}
        for message_id in after.keys() - before.keys():
            self._written_by_server(after[message_id].message, word)
        for message_id in before.keys() - after.keys():
            del self.chat.texts[message_id]
            self._deleted(before[message_id])

    def rollback(self) -> None:
        """An operator puts memory back, or asks again for what was not answered."""
        present = self.arena.ports.memory.read_cycle(self.chat.key, None).state.generation
        if present == 0:
            return
        if self._asked is None or self.chance.random() < 0.5:
            self._asked = (self.chance.randrange(present), self.chance.randrange(10**9))
        generation, request = self._asked
        command = RollbackMemory(
            thread=self.chat.key,
            generation=generation,
            request_id=f"back{request}",
            requested_by="ops",
        )
        self._at_risk(
            lambda: self._as_called(lambda: rollback_memory(command, ports=self.arena.ports))
        )

    def load(self) -> None:
        """An episode is played on, or another one, and the user has it brought into memory."""
        number = self.chance.randrange(1, 4)
        self._at_risk(lambda: self.arena.load(self.chat, f"load{self.chance.randrange(4)}"))
        first = self._summaries.get(number, 0)
        self._summaries[number] = first + 2
        now, uid = self._now(), self.chat.key.uid
        play_on(self.arena.client, uid, number, summaries=range(first, first + 2), at=now)

    def work(self) -> None:
        """The queue delivers what is due, to workers that may die."""
        for task in self.arena.queue.take_due(self.chat.key):
            done = self._at_risk(lambda task=task: self.arena.work(task))  # type: ignore[misc]
            self.arena.queue.settle(task, done=bool(done))

    def arrive(self) -> None:
        """Events arrive; what fails is delivered again, as promised."""
        again = [event for event in self.events.arriving() if not self._at_risk(event)]
        self.events.send(again)

    def meanwhile(self) -> None:
        """While memory's model thinks, the chat goes on."""
        if self.faults and self.chance.random() < WHILE_THINKING:
            self.chance.choice((self.say, self.edit, self.delete))()
            self.arrive()

    def pass_time(self) -> None:
        self.arena.clock.pass_time(self.chance.choice((1, 30, 3_600)))

    def end(self) -> None:
        """Everything that is still on its way arrives, and every cycle that is due is made."""
        self.faults = 0
        for _ in range(MOST_ROUNDS):
            self.arrive()
        if not self.events.is_empty:
            self.arena.leaks.append("an event fails whenever it is delivered")
        self.arena.clock.pass_time(self.arena.settings.lease_seconds + 1)
        self.arena.queue.drain(self.arena.work, within=timedelta(hours=12))
        self.arena.clock.pass_time(3_600)
        self.arena.sweep()
        self.arena.queue.drain(self.arena.work, within=timedelta(hours=12))

    def prompt(self) -> str:
        """The prompt that a fresh instance would compose now."""
        ports = composing_on(self.arena.client, self.arena.ports, self.arena.settings)
        return compose_prompt(
            ComposePrompt(thread=self.chat.key), ports=ports
        ).prompt.model_dump_json()

    def _text(self) -> tuple[str, str]:
        word = "".join(self.chance.choices(SYLLABLES, k=4))
        while word in self._said:
            word = "".join(self.chance.choices(SYLLABLES, k=4))
        self._said.add(word)
        said = self.chance.choices(WORDS, k=6)
        said.insert(
            self.chance.randrange(7), f"{word}{self.chance.choice(('', '에서', '이야', '를'))}"
        )
        return " ".join(said), word

    def _now(self) -> Any:
        self.arena.clock.pass_time(1)
        return self.arena.clock.now()

    def _messages(self) -> list[Versioned]:
        far = self.arena.clock.now() + timedelta(days=3_650)
        threads = self.arena.ports.threads
        return list(threads.messages_from(self.chat.key, None, until=far, limit=STORED_AT_MOST))

    def _reference(self, message: Message) -> Any:
        return self.arena.paths.messages(self.chat.key).document(message.message_id)

    def _created(self, event: Versioned) -> None:
        self.events.send([lambda: self.arena.deliver(self.chat, event)])

    def _deleted(self, gone: Versioned) -> None:
        deletion = RecordDeletion(
            thread=self.chat.key,
            message=gone.message,
            changed_at=gone.version,  # type: ignore[arg-type]
        )
        word = self.words.pop(gone.message.message_id)
        self._taken_back(word, lambda: record_deletion(deletion, ports=self.arena.changing))

    def _taken_back(self, word: str, settle: Callable[[], object]) -> None:
        def event() -> bool:
            done = self.arena.attempt(self.chat.key, settle)
            if done:
                self.gone.add(word)
            return done

        self.events.send([event])

    def _generate(self, text: str) -> object:
        def chat(request: ChatRequest, heard: Callable[[str], None]) -> Generation:
            self.read(request.prompt.model_dump_json())
            heard(text)
            return Generation(
                text=text,
                model_asked="m",
                model_answered="m",
                tokens_in=1,
                tokens_out=1,
                latency_ms=1,
            )

        ports = ReplyPorts(
            composing=composing_on(self.arena.client, self.arena.ports, self.arena.settings),
            replies=FirestoreReplies(self.arena.client),
            model=_Chat(chat),
            chance=self.arena.ports.chance,
            aside=lambda call: call,
        )
        command = GenerateReply(thread=self.chat.key, request_id=f"r{self.replies}")
        return self._as_called(lambda: generate_reply(command, ports=ports, tell=lambda _: None))

    def _as_called(self, work: Callable[[], object]) -> object:
        """Do it as a callable does; an error that the edge did not foresee is a leak."""
        try:
            with callable_failures():
                return work()
        except HttpsError as error:
            if error.code == FunctionsErrorCode.INTERNAL:
                self.arena.leaks.append("a callable ended in an error that nobody foresaw")
            return None

    def _written_by_server(self, message: Message, word: str) -> None:
        """The arena's clock is not the database's: the message is written now by its clock."""
        written = self._reference(message).update({"created_at": self._now()})
        now = message.model_copy(update={"created_at": self.arena.clock.now()})
        self.chat.texts[message.message_id] = message.text
        self.words[message.message_id] = word
        self._created(Versioned(message=now, version=written.update_time))

    def read(self, text: str) -> None:
        """A model has been sent this: nothing in it may have been taken back before."""
        self.seen += [word for word in self.gone if word in text]

    def _at_risk(self, work: Callable[[], object]) -> object:
        """Do it, perhaps with a fault at one of its remote calls; None where the worker died."""
        plan = None
        if self.chance.random() < self.faults:
            plan = Plan(at=self.chance.randrange(MOST_CALLS), mode=self.chance.choice(MODES))
        with suppress(CrashedError), laid(plan):
            return work()
        return None


@dataclass(frozen=True)
class _Chat:
    """The chat's model, as a function."""

    answer: Callable[[ChatRequest, Callable[[str], None]], Generation]

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        return self.answer(request, heard)
