"""A chat full of canary secrets on the Firestore emulator, through the real adapters."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from google.cloud import firestore

from functions.adapters.clock import SystemChance, SystemClock
from functions.adapters.event_log import JsonEventLog
from functions.adapters.firestore.breaker import FirestoreBreaker
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import FirestoreSouls
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.counting.record_message import RecordMessage, record_message
from shared.model.thread import ThreadKey
from shared.settings import Settings
from shared.summarizing.working import CyclePorts
from tests.composing_on import composing_on
from tests.fakes import FakeBudget, FakeModel, FakeTasks
from tests.safety.canaries import Canaries

SETTINGS = Settings(
    cycle_trigger_tokens=1, settle_seconds=0, seed_wait_seconds=0, import_wait_seconds=0
)
BORN = datetime.now(UTC) - timedelta(days=2)


@dataclass
class CanaryWorld:
    """One project of its own. `prompts` is every text that a model would have got."""

    model: FakeModel
    client: firestore.Client = field(
        default_factory=lambda: firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    )
    canaries: Canaries = field(default_factory=Canaries)
    key: ThreadKey = field(default_factory=lambda: ThreadKey(uid="u1", soul_id="sohee"))
    composed: list[str] = field(default_factory=list)
    said: int = 0

    def __post_init__(self) -> None:
        self.threads = FirestoreThreads(self.client)
        self.ports = CyclePorts(
            memory=FirestoreMemory(self.client),
            threads=self.threads,
            lorebook=FirestoreLorebook(self.client),
            rollbacks=FirestoreRollbacks(self.client),
            embedder=None,
            souls=FirestoreSouls(self.client),
            plays=FirestorePlays(self.client),
            model=self.model,
            prompts=PromptFiles(),
            tokens=TiktokenCounter(),
            tasks=FakeTasks(),
            events=JsonEventLog(),
            clock=SystemClock(),
            chance=SystemChance(),
            breaker=FirestoreBreaker(self.client),
            budget=FakeBudget(),
            settings=SETTINGS,
        )

    def write_soul(self) -> None:
        """A persona, a status and an opening that tell secrets."""
        soul = self.client.document("souls", self.key.soul_id)
        soul.set({"character_ids": ["sohee"]})
        for name, body in {
            "soul_messenger_bio": {"display_name": "소희", "status": self._told("bio", " / ")},
            "soul_default_persona": {"content": self._told("persona")},
            "chat_initial_situation": {"content": self._told("opening")},
        }.items():
            soul.collection("slots").document(name).set(body)
        thread = self.client.document("users", self.key.uid, "threads", self.key.soul_id)
        thread.set({"created_at": BORN})

    def write_play(self, part: str) -> None:
        """One play whose title, summaries or scenes tell secrets."""
        plays = self.client.collection("users", self.key.uid, "plays")
        body: dict[str, Any] = {
            "episode_id": f"of {part}",
            "episode_number": 1,
            "episode_title": self._told(f"title of {part}", " "),
            "scene_count": 12,
            "character_appearances": {"sohee": 3},
            "last_played_at": BORN,
            "cleared_at": None,
        }
        plays.document(part).set(body)
        for index, text in enumerate(self.canaries.tell(part)):
            plays.document(part).collection(part).document(f"p{index}").set(
                {"index": index, "text": f"{text} 소희가 {{user}}에게 말했다."}
            )

    def say(self, *texts: str) -> None:
        """Messages of both in turn, each counted as the trigger does."""
        for text in texts:
            created = BORN + timedelta(minutes=self.said)
            role = "soul" if self.said % 2 else "user"
            document = self.threads._paths.messages(self.key).document(f"m{self.said:05d}")
            document.set({"role": role, "text": text, "created_at": created})
            self.said += 1
            self._count(created)

    def _count(self, created: datetime) -> None:
        newest = self.threads.messages_from(self.key, None, until=created, limit=1_000)[-1]
        record_message(
            RecordMessage(thread=self.key, message=newest),
            threads=self.threads,
            memory=self.ports.memory,
            tasks=self.ports.tasks,
            tokens=self.ports.tokens,
            clock=self.ports.clock,
            settings=SETTINGS,
        )

    def compose(self) -> None:
        prompt = compose_prompt(
            ComposePrompt(thread=self.key),
            ports=composing_on(self.client, self.ports, SETTINGS),
        ).prompt
        parts = [part.text for content in prompt.contents for part in content.parts]
        self.composed.append("\n".join([prompt.system_instruction, *parts]))

    @property
    def prompts(self) -> list[str]:
        sent = [f"{one.system}\n{one.user}" for one in self.model.requests]
        return [*sent, *self.composed]

    def made_documents(self) -> Iterator[tuple[str, str]]:
        """(path, body as text) of every document but those that people wrote themselves."""
        for collection in self.client.collections():
            yield from _documents(collection)

    def _told(self, place: str, between: str = "\n") -> str:
        return between.join(self.canaries.tell(place))


def _documents(collection: Any) -> Iterator[tuple[str, str]]:
    if collection.id in {"plays", "souls"}:
        return
    for reference in collection.list_documents():
        if collection.id != "messages":
            yield reference.path, repr(reference.get().to_dict())
        for below in reference.collections():
            yield from _documents(below)
