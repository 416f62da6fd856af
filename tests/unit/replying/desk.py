"""A chat with a scripted chat model, for replies: fakes beside those of `tests/fakes.py`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from shared.errors import StaleClaimError, UserGoneError
from shared.model.generation import Generation
from shared.model.reply import Bubble, LiveReply
from shared.model.thread import Message, ThreadKey
from shared.replying.generate_reply import GenerateReply, ReplyGiven, ReplyPorts, generate_reply
from shared.replying.reply_ports import ChatRequest, HeldReply
from shared.settings import Settings
from tests.factories import KEY, World
from tests.fakes import FakeStore


class FakeReplies:
    """`live/reply` in memory; `store` holds the messages."""

    def __init__(self, store: FakeStore) -> None:
        self.store = store
        self.live: HeldReply | None = None
        self.asked: dict[str, int] = {}
        self.seen: list[LiveReply] = []

    def read(self, key: ThreadKey, *, afresh: bool = False) -> HeldReply | None:
        return self.live

    def read_turn(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Bubble]:
        found = self.store.messages.get(key, {})
        return [Bubble(message_id=one, text=found[one].text) for one in message_ids if one in found]

    def claim(
        self,
        key: ThreadKey,
        found: HeldReply | None,
        reply: LiveReply,
        *,
        day: str,
    ) -> tuple[HeldReply, int]:
        if found is None and key.uid in self.store.left:
            raise UserGoneError
        self.asked[day] = self.asked.get(day, 0) + 1
        return self._write(found, reply), self.asked[day]

    def fail(self, key: ThreadKey, held: HeldReply, reply: LiveReply) -> None:
        self._write(held, reply)

    def commit(
        self,
        key: ThreadKey,
        held: HeldReply,
        reply: LiveReply,
        bubbles: Sequence[Bubble],
        replaced: Sequence[Message],
    ) -> None:
        self._write(held, reply)
        for old in replaced:
            del self.store.messages[key][old.message_id]
        for bubble in bubbles:
            self.store.add_message(
                key,
                Message(
                    message_id=bubble.message_id,
                    role="soul",
                    text=bubble.text,
                    created_at=reply.requested_at,
                    generation_id=reply.generation_id,
                ),
            )

    def _write(self, found: HeldReply | None, reply: LiveReply) -> HeldReply:
        if (found and found.version) != (self.live and self.live.version):
            raise StaleClaimError("another reply has begun")
        self.seen.append(reply)
        self.live = HeldReply(reply=reply, version=len(self.seen))
        return self.live


@dataclass
class FakeChatModel:
    """Answers in the order of its script; an exception is raised."""

    answers: list[str | Exception] = field(default_factory=list)
    requests: list[ChatRequest] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        self.requests.append(request)
        answer = self.answers.pop(0)
        self.meanwhile()
        if isinstance(answer, Exception):
            raise answer
        for start in range(0, len(answer), 3):
            heard(answer[start : start + 3])
        return Generation(
            text=answer,
            model_asked="m",
            model_answered="m",
            tokens_in=1,
            tokens_out=1,
            latency_ms=1,
        )


class Desk:
    """A thread in which a Soul may be asked to reply."""

    def __init__(self, *answers: str | Exception, **settings: object) -> None:
        self.world = World()
        self.model = FakeChatModel(list(answers))
        self.replies = FakeReplies(self.world.store)
        self.told: list[str] = []
        self.settings = Settings.model_validate(settings)

    def reply(self, request_id: str = "r1") -> ReplyGiven:
        ports = ReplyPorts(
            composing=self.world.composing(self.settings),
            replies=self.replies,
            model=self.model,
            chance=self.world.chance,
            aside=lambda call: call,
        )
        command = GenerateReply(thread=KEY, request_id=request_id)
        return generate_reply(command, ports=ports, tell=self.told.append)

    @property
    def said(self) -> list[str]:
        """The Soul's messages as stored, in order."""
        stored = self.world.store.messages[KEY].values()
        ordered = sorted(stored, key=lambda one: (one.created_at, one.message_id))
        return [one.text for one in ordered if one.role == "soul"]
