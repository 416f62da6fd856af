"""A Soul answers: compose, ask the chat's model, send the turn as messages, once a request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.composing.compose_prompt import (
    ComposePorts,
    ComposePrompt,
    Composition,
    compose_prompt,
)
from shared.composing.composed import ComposedPrompt
from shared.errors import (
    ModelBlockedError,
    ModelError,
    ModelMisconfiguredError,
    ModelOutputError,
    ReplyFailedError,
    StaleClaimError,
    UserGoneError,
)
from shared.local_time import date, zone
from shared.model.base import Frozen
from shared.model.generation import Generation
from shared.model.ids import DocumentId
from shared.model.reply import Answered, Bubble, LiveReply, ReplyFailure
from shared.model.thread import ThreadKey
from shared.ports import Chance
from shared.replying.bubbles import BubbleStream, bubbles_of
from shared.replying.reply_ports import Aside, ChatModel, ChatRequest, HeldReply, Replies

REMEMBERED = 20  # requests that are known to be answered
GRACE = timedelta(seconds=30)  # for what stands around the model's call


class GenerateReply(Frozen):
    """Answer what the user has written; `request_id` is the client's own, once a reply."""

    thread: ThreadKey
    request_id: DocumentId


class ReplyGiven(Frozen):
    """The turn that was sent. `replaced`: it took the place of a reply nobody had answered."""

    generation_id: str
    messages: tuple[Bubble, ...]
    replaced: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class ReplyPorts:
    """The ports that a reply needs; `composing` holds those of its prompt."""

    composing: ComposePorts
    replies: Replies
    model: ChatModel
    chance: Chance
    aside: Aside


def generate_reply(
    command: GenerateReply, *, ports: ReplyPorts, tell: Callable[[str], None]
) -> ReplyGiven:
    """Reply once; the same request again answers the same and writes nothing.

    `tell` hears each bubble when it is finished. A reply asked for anew replaces the one before
    it, if no message has followed and memory does not hold it yet. Raises ReplyFailedError, whose
    kind an app may show, and what `compose_prompt` raises. Source: PRD §8-A.
    """
    key = command.thread
    composing = ports.aside(
        lambda: compose_prompt(ComposePrompt(thread=key, again=True), ports=ports.composing)
    )
    begun = _begin(command, ports)
    if isinstance(begun, ReplyGiven):
        return begun
    held = begun
    try:
        composition = composing()
        answer = _ask(key, composition, ports, tell)
        texts = bubbles_of(answer.text, composition.display_name)
        if not texts:
            raise ModelOutputError("nothing of the answer may be sent")
        bubbles = _named(held.reply.generation_id, texts)
        ports.replies.commit(key, held, _done(held.reply, bubbles), bubbles, composition.replaced)
    except Exception as error:
        kind = _kind_of(error)
        ports.replies.fail(key, held, _failed(held.reply, kind))
        if isinstance(error, ModelError | StaleClaimError):
            raise ReplyFailedError(kind) from error
        raise
    return ReplyGiven(
        generation_id=held.reply.generation_id,
        messages=tuple(bubbles),
        replaced=bool(composition.replaced),
        model=answer.model_answered,
    )


def _begin(command: GenerateReply, ports: ReplyPorts) -> HeldReply | ReplyGiven:
    """The right to answer, or the answer that was given to this request."""
    try:
        return _claim(command, ports.replies.read(command.thread), ports)
    except UserGoneError:
        raise
    except StaleClaimError:
        pass
    try:
        return _claim(command, ports.replies.read(command.thread, afresh=True), ports)
    except UserGoneError:
        raise
    except StaleClaimError as error:
        raise ReplyFailedError("busy") from error


def _claim(
    command: GenerateReply, found: HeldReply | None, ports: ReplyPorts
) -> HeldReply | ReplyGiven:
    """Begin, if nobody else is writing and the day's replies are not spent.

    Raises StaleClaimError when `found` is no longer what is stored.
    """
    settings, now = ports.composing.settings, ports.composing.clock.now()
    if found and (answered := found.reply.answer_to(command.request_id)):
        turn = ports.replies.read_turn(command.thread, answered.message_ids)
        return ReplyGiven(generation_id=answered.generation_id, messages=tuple(turn))
    if found and found.reply.status == "writing" and found.reply.expires_at > now:
        raise ReplyFailedError("busy")
    reply = LiveReply(
        status="writing",
        request_id=command.request_id,
        generation_id=ports.chance.token(),
        requested_at=now,
        expires_at=now + timedelta(seconds=settings.reply_timeout_seconds) + GRACE,
        answered=found.reply.answered if found else (),
    )
    day = date(now, zone(settings.budget_time_zone))
    held, asked = ports.replies.claim(command.thread, found, reply, day=day)
    if settings.replies_per_day and asked > settings.replies_per_day:
        ports.replies.fail(command.thread, held, _failed(reply, "budget"))
        raise ReplyFailedError("budget")
    return held


def _ask(
    key: ThreadKey, composition: Composition, ports: ReplyPorts, tell: Callable[[str], None]
) -> Generation:
    prompt, settings = composition.prompt, ports.composing.settings
    template = ports.composing.prompts.load(prompt.prompt.name, key)
    stream = BubbleStream(tell, composition.display_name)
    request = ChatRequest(
        prompt=prompt,
        models=(prompt.model, *template.fallback_models),
        timeout_seconds=settings.reply_timeout_seconds,
    )
    try:
        answer = ports.model.chat(request, stream.add)
    except ModelMisconfiguredError:
        # A message may name an image that was never uploaded: no reason to fall silent.
        if (unseen := _without_files(prompt)) == prompt:
            raise
        answer = ports.model.chat(request.model_copy(update={"prompt": unseen}), stream.add)
    stream.finish()
    return answer


def _without_files(prompt: ComposedPrompt) -> ComposedPrompt:
    """The prompt with its images as placeholders alone."""
    contents = tuple(
        content.model_copy(
            update={"parts": tuple(part for part in content.parts if part.file_data is None)}
        )
        for content in prompt.contents
    )
    return prompt.model_copy(update={"contents": contents})


def _named(generation_id: str, texts: Sequence[str]) -> list[Bubble]:
    """Ids that sort as the bubbles do: all of a turn are created at the same moment."""
    return [
        Bubble(message_id=f"{generation_id}-{number:02d}", text=text)
        for number, text in enumerate(texts)
    ]


def _done(reply: LiveReply, bubbles: Sequence[Bubble]) -> LiveReply:
    ids = tuple(bubble.message_id for bubble in bubbles)
    answered = Answered(
        request_id=reply.request_id, generation_id=reply.generation_id, message_ids=ids
    )
    return reply.model_copy(
        update={
            "status": "done",
            "message_ids": ids,
            "answered": (*reply.answered, answered)[-REMEMBERED:],
        }
    )


def _failed(reply: LiveReply, kind: ReplyFailure) -> LiveReply:
    return reply.model_copy(update={"status": "failed", "kind": kind})


def _kind_of(error: Exception) -> ReplyFailure:
    return "blocked" if isinstance(error, ModelBlockedError) else "retry"
