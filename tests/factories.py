"""Things that tests are about, with every part that a test does not care for filled in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.adapters.prompt_files import PromptFiles
from shared.composing.compose_prompt import ComposePorts
from shared.counting.record_message import MessageRecorded, RecordMessage, record_message
from shared.forgetting.change_ports import ChangePorts
from shared.forgetting.record_change import (
    ChangeRecorded,
    RecordDeletion,
    RecordEdit,
    record_deletion,
    record_edit,
)
from shared.model.cycle import CycleResult
from shared.model.play import Play, PlaySummary, Scene
from shared.model.slots import DefaultPersona, InitialSituation, MessengerBio, Soul
from shared.model.thread import Image, Message, Role, Thread, ThreadKey
from shared.ports import DirectorDocuments, TokenCounter
from shared.recall.embedding import SemanticLane
from shared.recall.loading import RecallIndexes
from shared.seeding.seed_memory import MemorySeeded, SeedMemory, seed_memory
from shared.settings import Settings
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts
from tests.fakes import (
    FakeBreaker,
    FakeBudget,
    FakeChance,
    FakeClock,
    FakeEmbedder,
    FakeEvents,
    FakeModel,
    FakePlays,
    FakeStore,
    FakeTasks,
    FakeTokens,
)
from tests.rollback_fakes import FakeRollbacks

NOW = datetime(2026, 5, 28, 14, 14, tzinfo=UTC)
KEY = ThreadKey(uid="u1", soul_id="sohee")

SUMMARY = """=== MEMORY ===
## Recent context
- {recent}

## Long-term memory(LTM)
- [Messenger / DM / 2026-05-27 (수) / 필름] 소희가 필름을 현상소에 맡겼다.

## Soul persona
### Relational
- 사진 이야기를 할 때 말이 빨라진다.

## User persona
### Profile
- 별명: 필름
### How Soul sees the user
- 끝까지 듣는 사람으로 본다.

=== LOREBOOK ===
### 현상소
- keywords: 필름, 현상소
- 시점: 2026-05-27 (수)
- 기록: 소희가 필름을 현상소에 맡겼다.
"""

FIRST_MEMORY = """## Long-term memory(LTM)
- [Episode / "강변 레이스" / (시간 불명) / 완주] 소희가 결승선 앞에서 {user}를 기다렸다.

## Soul persona
### Relational
- 이기려고 하지 않는 모습이 드러났다.

## User persona
### Profile
- 취미: 자전거
### How Soul sees the user
- 끝까지 가는 사람이라고 본다.
"""


def summary(recent: str = "주말에 사진을 찾으러 가기로 했다.") -> str:
    """A v5 output that reads."""
    return SUMMARY.replace("{recent}", recent)


def director(**changes: Any) -> DirectorDocuments:
    """A Soul as its director wrote it."""
    return DirectorDocuments(
        soul=Soul(character_ids=changes.get("character_ids", ("sohee",))),
        bio=MessengerBio(display_name=changes.get("display_name", "소희"), status="현상 중"),
        persona=DefaultPersona(content=changes.get("persona", "말수가 적고 사진을 좋아한다.")),
        initial_situation=changes.get(
            "initial_situation", InitialSituation(content="레이스가 끝난 다음 날이다.")
        ),
    )


def message(number: int, text: str = "안녕하세요", role: Role | None = None) -> Message:
    """The `number`-th message of a chat, a minute after the one before, roles in turn."""
    return Message(
        message_id=f"m{number:05d}",
        role=role or ("user" if number % 2 == 0 else "soul"),
        text=text,
        created_at=NOW - timedelta(days=1) + timedelta(minutes=number),
    )


def image_message(number: int, text: str = "", *, uid: str = KEY.uid) -> Message:
    """The `number`-th message of a chat, the user's, with an image from this folder."""
    image = Image(path=f"users/{uid}/images/{number}.jpg", content_type="image/jpeg")
    return message(number, "자리", role="user").model_copy(update={"text": text, "image": image})


def play(play_id: str, **changes: Any) -> Play:
    """A play of episode 1 in which the Soul's character appears."""
    base: dict[str, Any] = {
        "play_id": play_id,
        "episode_id": "e1",
        "episode_number": 1,
        "episode_title": "강변 레이스",
        "scene_count": 12,
        "character_appearances": {"sohee": 3},
        "last_played_at": NOW - timedelta(days=9),
        "cleared_at": None,
    }
    return Play.model_validate({**base, **changes})


def play_summaries(*texts: str) -> list[PlaySummary]:
    return [PlaySummary(index=index, text=text) for index, text in enumerate(texts)]


def scenes(count: int) -> list[Scene]:
    return [Scene(index=index, text=f"{index}번째 장면이었다.") for index in range(count)]


@dataclass
class World:
    """A thread with its Soul, and everything the use cases run on."""

    model: FakeModel = field(default_factory=FakeModel)
    settings: Settings = field(
        default_factory=lambda: Settings(cycle_trigger_tokens=100, cycle_max_tokens=400)
    )
    store: FakeStore = field(default_factory=FakeStore)
    plays: FakePlays = field(default_factory=FakePlays)
    tasks: FakeTasks = field(default_factory=FakeTasks)
    events: FakeEvents = field(default_factory=FakeEvents)
    clock: FakeClock = field(default_factory=lambda: FakeClock(NOW))
    chance: FakeChance = field(default_factory=FakeChance)
    embedder: FakeEmbedder | None = None
    breaker: FakeBreaker = field(default_factory=FakeBreaker)
    budget: FakeBudget = field(default_factory=FakeBudget)
    tokens: TokenCounter = field(default_factory=FakeTokens)
    prompts: PromptFiles = field(default_factory=PromptFiles)

    def __post_init__(self) -> None:
        self.rollbacks = FakeRollbacks(self.store)
        self.store.souls[KEY.soul_id] = director()
        self.store.threads[KEY] = Thread(created_at=NOW)

    @property
    def ports(self) -> CyclePorts:
        return CyclePorts(
            memory=self.store,
            threads=self.store,
            lorebook=self.store,
            rollbacks=self.rollbacks,
            embedder=self.embedder,
            souls=self.store,
            plays=self.plays,
            model=self.model,
            prompts=self.prompts,
            tokens=self.tokens,
            tasks=self.tasks,
            events=self.events,
            clock=self.clock,
            chance=self.chance,
            breaker=self.breaker,
            budget=self.budget,
            settings=self.settings,
        )

    def composing(self, settings: Settings | None = None) -> ComposePorts:
        """The ports of a prompt, with a recall that remembers nothing yet."""
        return ComposePorts(
            sources=self.store,
            threads=self.store,
            indexes=RecallIndexes(self.store),
            semantics=SemanticLane(self.store, self.embedder),
            prompts=self.prompts,
            tokens=self.tokens,
            clock=self.clock,
            settings=settings or self.settings,
        )

    @property
    def changing(self) -> ChangePorts:
        return ChangePorts(
            changes=self.store,
            memory=self.store,
            threads=self.store,
            lorebook=self.store,
            embedder=self.embedder,
            souls=self.store,
            tokens=self.tokens,
            clock=self.clock,
            settings=self.settings,
        )

    def delete(self, message_id: str) -> RecordDeletion:
        """What the app does; the event that comes of it is still to be delivered."""
        gone = self.store.messages[KEY].pop(message_id)
        return RecordDeletion(thread=KEY, message=gone, changed_at=gone.created_at)

    def edit(self, message_id: str, text: str) -> RecordEdit:
        """What the app does; the event that comes of it is still to be delivered."""
        before = self.store.messages[KEY][message_id]
        self.clock.pass_time(1)
        self.store.messages[KEY][message_id] = before.model_copy(update={"text": text})
        return RecordEdit(thread=KEY, before=before, changed_at=self.clock.now())

    def settle(self, change: RecordDeletion | RecordEdit) -> ChangeRecorded:
        """Deliver a change's event, perhaps again."""
        if isinstance(change, RecordDeletion):
            return record_deletion(change, ports=self.changing)
        return record_edit(change, ports=self.changing)

    def say(self, *messages: Message) -> MessageRecorded:
        """Write messages and have each counted, as the trigger does."""
        for one in messages:
            recorded = self.record(one)
        return recorded

    def record(self, one: Message) -> MessageRecorded:
        versioned = self.store.add_message(KEY, one)
        return self.deliver(versioned.message)

    def deliver(self, one: Message) -> MessageRecorded:
        """Deliver a message's event, perhaps again."""
        versioned = self.store.messages_from(KEY, one.ref, until=one.created_at, limit=1)[0]
        return record_message(
            RecordMessage(thread=KEY, message=versioned),
            threads=self.store,
            memory=self.store,
            tasks=self.tasks,
            tokens=self.tokens,
            clock=self.clock,
            settings=self.settings,
        )

    def chat(self, count: int, *, start: int = 0, text: str = "열 글자로 된 말이다") -> None:
        self.say(*(message(number, text) for number in range(start, start + count)))

    def summarize(self, generation: int = 1) -> CycleResult:
        command = SummarizeThread(thread=KEY, generation=generation)
        return summarize_thread(command, ports=self.ports)

    @contextmanager
    def dying_worker(self) -> Iterator[None]:
        """Inside, the worker dies once its output is kept; afterwards its lease is over."""
        self.store.dies_on_applying = True
        with pytest.raises(ConnectionError):
            yield
        self.store.dies_on_applying = False
        self.clock.pass_time(self.settings.lease_seconds + 1)

    def seed(self) -> MemorySeeded:
        return seed_memory(SeedMemory(thread=KEY), ports=self.ports)
