"""A Soul's reply: how far it is, and what an app may show of its failure."""

from typing import Literal

from pydantic import AwareDatetime

from shared.model.base import Frozen, Stored

ReplyStatus = Literal["writing", "done", "failed"]
ReplyFailure = Literal["blocked", "busy", "budget", "retry"]


class Answered(Stored):
    """A request that was answered, and what its turn became."""

    request_id: str
    generation_id: str
    message_ids: tuple[str, ...]


class LiveReply(Stored):
    """`live/reply` of a thread: its newest reply. The owner may watch it.

    While `writing`, the Soul is typing until `expires_at`, and nobody else may reply.
    `answered` are the last few requests, so that each of them is answered once.
    """

    status: ReplyStatus
    kind: ReplyFailure | None = None
    request_id: str
    generation_id: str
    message_ids: tuple[str, ...] = ()
    requested_at: AwareDatetime
    expires_at: AwareDatetime
    answered: tuple[Answered, ...] = ()

    def answer_to(self, request_id: str) -> Answered | None:
        """What this request was answered with, if it was."""
        return next((one for one in self.answered if one.request_id == request_id), None)


class Bubble(Frozen):
    """One message of a turn."""

    message_id: str
    text: str
