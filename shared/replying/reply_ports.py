"""What a reply needs of the world, besides what a prompt needs."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from shared.composing.composed import ComposedPrompt
from shared.model.base import Frozen
from shared.model.generation import Generation
from shared.model.reply import Bubble, LiveReply
from shared.model.thread import Message, ThreadKey

T = TypeVar("T")


class ChatRequest(Frozen):
    """A composed prompt and how to run it. `models` are tried in order when an id is retired."""

    prompt: ComposedPrompt
    models: tuple[str, ...]
    timeout_seconds: float


class ChatModel(Protocol):
    """The chat's model. Raises a `ModelError` of the class that says what to do next."""

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        """The finished answer; `heard` is told its text piece by piece while it is written."""
        ...


class Aside(Protocol):
    """Begins a piece of work beside what comes next; the answer waits for it."""

    def __call__(self, call: Callable[[], T], /) -> Callable[[], T]: ...


class HeldReply(Frozen):
    """A thread's `live/reply` as this worker wrote it, with the version that it must still have."""

    reply: LiveReply
    version: object = None


class Replies(Protocol):
    """`live/reply` of a thread, and the turns that replies become."""

    def read(self, key: ThreadKey, *, afresh: bool = False) -> HeldReply | None:
        """The newest reply as far as this process knows; `afresh`, as it is stored."""
        ...

    def read_turn(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Bubble]:
        """The messages of these ids that are still there, in order."""
        ...

    def claim(
        self, key: ThreadKey, found: HeldReply | None, reply: LiveReply, *, day: str
    ) -> tuple[HeldReply, int]:
        """Write `reply` if nothing has moved since `found`; StaleClaimError otherwise.

        Also how many replies the user has asked for on that day, this one included.
        """
        ...

    def fail(self, key: ThreadKey, held: HeldReply, reply: LiveReply) -> None:
        """Write how a reply ended, unless another one has begun."""
        ...

    def commit(
        self,
        key: ThreadKey,
        held: HeldReply,
        reply: LiveReply,
        bubbles: Sequence[Bubble],
        replaced: Sequence[Message],
    ) -> None:
        """The turn, in one commit: soul messages in order, and those it replaces gone.

        Raises StaleClaimError when another reply has begun, or a replaced message is part of
        memory by now.
        """
        ...
