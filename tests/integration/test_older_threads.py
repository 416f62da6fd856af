"""A thread made wholly of what an earlier version stored goes on, and is stored as today's."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.budget import FirestoreBudget
from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import FirestoreSouls
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.counting.record_message import RecordMessage, record_message
from shared.model.cycle import Cycle, CycleResult
from shared.model.lorebook import LorebookEntry
from shared.model.reply import LiveReply
from shared.model.slots import SLOT_NAMES, Slot
from shared.model.thread import MemoryState, Message, ThreadKey
from shared.ports import Versioned
from shared.recall.index import RecallIndex
from shared.recall.loading import recall_entries_of
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from shared.settings import Settings
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts
from tests.composing_on import composing_on
from tests.fakes import (
    FakeBreaker,
    FakeChance,
    FakeClock,
    FakeEvents,
    FakeModel,
    FakeTasks,
)
from tests.older.stored import SOUL_ID, UID, VERSIONS, read
from tests.unit.replying.desk import FakeChatModel

pytestmark = pytest.mark.firestore

LATER = datetime.fromisoformat("2026-05-28T12:00:00+00:00")
SETTINGS = Settings(cycle_trigger_tokens=60)
LTM = (
    '- [Episode / "강변 레이스" / (시간 불명) / 완주]'
    " 서윤은 결승선 앞에서 자전거를 세우고 {user}를 기다렸다."
)
NEWEST = """=== MEMORY ===
## Recent context
- 강릉에 갈 날을 고르던 참이다.

## Long-term memory(LTM)
- LTM

## Soul persona
### Relational
- 이기는 것보다 함께 들어가는 쪽을 골랐다.

## User persona
### Profile
- 취미: 자전거
### How Soul sees the user
- 끝까지 가는 사람이라고 본다.

=== LOREBOOK ===
### 강릉 계획
- keywords: 강릉, 바다
- 시점: 2026-05-28 (목)
- 기록: {user}가 유월 둘째 주에 강릉에 가자고 했다. (m1)
""".replace("- LTM", LTM)


class OlderThread:
    """One version's documents under a user of their own, and today's code at work on them."""

    def __init__(self, client: firestore.Client, version: str, *answers: str) -> None:
        self.client, self.documents = client, read(version)
        self.key = ThreadKey(uid=uuid4().hex, soul_id=SOUL_ID)
        self.paths, self.clock = Paths(client), FakeClock(LATER)
        self.model = FakeModel(*answers)
        for path, body in self.documents.items():
            client.document(path.replace(UID, self.key.uid)).set(body)
        self.ports = CyclePorts(
            memory=FirestoreMemory(client),
            threads=FirestoreThreads(client),
            lorebook=FirestoreLorebook(client),
            embedder=None,
            souls=FirestoreSouls(client),
            plays=FirestorePlays(client),
            model=self.model,
            prompts=PromptFiles(),
            tokens=TiktokenCounter(),
            tasks=FakeTasks(),
            events=FakeEvents(),
            clock=self.clock,
            chance=FakeChance(),
            breaker=FakeBreaker(),
            budget=FirestoreBudget(client, {"user": (0, 0), "project": (0, 0)}),
            rollbacks=FirestoreRollbacks(client),
            settings=SETTINGS,
        )

    def summarize(self, generation: int) -> CycleResult:
        command = SummarizeThread(thread=self.key, generation=generation)
        return summarize_thread(command, ports=self.ports)

    def say(self, *texts: str) -> None:
        for text in texts:
            self.clock.pass_time(60)
            message_id = f"n{self.clock.now():%H%M}"
            one = Message(
                message_id=message_id, role="user", text=text, created_at=self.clock.now()
            )
            body = one.model_dump(include={"role", "text", "created_at"})
            written = self.paths.messages(self.key).document(message_id).set(body)
            record_message(
                RecordMessage(
                    thread=self.key, message=Versioned(message=one, version=written.update_time)
                ),
                threads=self.ports.threads,
                memory=self.ports.memory,
                tasks=self.ports.tasks,
                tokens=self.ports.tokens,
                clock=self.clock,
                settings=SETTINGS,
            )

    def prompt(self) -> str:
        ports = composing_on(self.client, self.ports, SETTINGS)
        made = compose_prompt(ComposePrompt(thread=self.key), ports=ports).prompt
        parts = [part.text for content in made.contents for part in content.parts]
        return "\n".join([made.system_instruction, *parts])

    def stored(self, reference: Any) -> Mapping[str, Any]:
        body: Mapping[str, Any] = reference.get().to_dict()
        return body


@pytest.mark.parametrize("version", VERSIONS)
def test_a_prompt_is_composed_from_it(client: firestore.Client, version: str) -> None:
    older = OlderThread(client, version)
    prompt = older.prompt()
    for told in ("말수가 적고 필름 사진을", "결승선 앞에서 자전거를", "주말에 사진을", "두 통은"):
        assert told in prompt
    assert "강변에 앉아 식은 커피" not in prompt
    older.say("현상소는 몇 시에 열어?")
    assert "토요일에 찾으라는 말을 들었다" in older.prompt()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_kept_output_of_then_is_applied_and_paid_for_once(
    client: firestore.Client, version: str
) -> None:
    older = OlderThread(client, version)
    result = older.summarize(3)
    assert (result.outcome, result.messages_consumed) == ("applied", 8)
    assert older.model.requests == []
    assert "열두 장의 사진" in older.ports.memory.read_slots(older.key)["recent_context"].content


@pytest.mark.parametrize("version", VERSIONS)
def test_its_next_cycles_store_everything_as_today(client: firestore.Client, version: str) -> None:
    older = OlderThread(client, version, NEWEST)
    older.summarize(3)
    older.say("유월 둘째 주에 강릉 가자", *["표는 내가 끊을게, 창가 자리로 나란히 앉자"] * 3)
    older.clock.pass_time(60)
    assert older.summarize(4).outcome == "applied"
    key, paths = older.key, older.paths
    assert set(older.stored(paths.state(key))) == set(MemoryState.model_fields)
    for cycle_id in ("000003", "000004"):
        fields = set(Cycle.model_fields) - {"cycle_id"}
        assert set(older.stored(paths.cycle(key, cycle_id))) == fields
    for name in SLOT_NAMES:
        assert set(older.stored(paths.slot(key, name))) == set(Slot.model_fields)
    newest = paths.lorebook(key).document("000004-000")
    assert set(older.stored(newest)) == set(LorebookEntry.model_fields)
    assert older.stored(paths.counter(key))["pending_messages"] == 0
    assert older.stored(paths.counter(key))["pending_tokens"] == 0
    assert isinstance(older.stored(paths.counter(key))["pending_since"], int)
    entries = older.ports.lorebook.all_entries(key)
    packed = RecallIndex.from_entries(recall_entries_of(entries)).packed()
    assert (older.stored(paths.shard(key, 0))["data"],) == packed
    assert older.ports.memory.read_cycle(key, None).state.lorebook_entries == len(entries)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_it_remembered_is_recalled_from_the_index_made_anew(
    client: firestore.Client, version: str
) -> None:
    older = OlderThread(client, version, NEWEST)
    older.summarize(3)
    older.say("유월 둘째 주에 강릉 가자", *["표는 내가 끊을게, 창가 자리로 나란히 앉자"] * 3)
    older.clock.pass_time(60)
    older.summarize(4)
    older.say("현상소는 몇 시에 열어?")
    assert "토요일에 찾으라는 말을 들었다" in older.prompt()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_reply_to_it_is_stored_as_today(client: firestore.Client, version: str) -> None:
    older = OlderThread(client, version)
    older.say("우산 챙겼어?")
    ports = ReplyPorts(
        composing=composing_on(client, older.ports, SETTINGS),
        replies=FirestoreReplies(client),
        model=FakeChatModel(["챙겼지\n같이 쓰자"]),
        chance=FakeChance(),
        aside=lambda call: call,
    )
    command = GenerateReply(thread=older.key, request_id="r2")
    generate_reply(command, ports=ports, tell=lambda _: None)
    reference = older.paths.live_reply(older.key)
    body = older.stored(reference)
    assert set(body) == set(LiveReply.model_fields)
    answered = [one.request_id for one in decode(LiveReply, "live/reply", body).answered]
    before = older.documents.get(f"users/{UID}/threads/{SOUL_ID}/live/reply", {})
    assert answered == [*(one["request_id"] for one in before.get("answered", [])), "r2"]
