"""A thread, its messages, and where memory stands in it (contract: Documents)."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from shared.model.base import Frozen, Stored
from shared.model.ids import DocumentId

Role = Literal["user", "soul"]
ImageType = Literal["image/jpeg", "image/png", "image/webp", "image/heic"]
MemoryStatus = Literal["pending", "seeding", "ready", "empty", "failed"]


class ThreadKey(Frozen):
    """Which chat: one per (user, Soul), so the soul's id is the thread's."""

    uid: DocumentId
    soul_id: DocumentId


class MessageRef(Frozen):
    """A place in a thread: messages are ordered by (time, id), since times may be equal."""

    created_at: AwareDatetime
    message_id: str

    def is_before(self, other: "MessageRef") -> bool:
        return (self.created_at, self.message_id) < (other.created_at, other.message_id)


class Image(Stored):
    """An image in Cloud Storage. `path` is within the bucket, under one user's own folder.

    The rules are narrower: what they let in must never be found to be misshapen here.
    """

    path: Annotated[str, StringConstraints(pattern=r"^users/[^/]+/images/[^/\x00-\x1f\x7f]+$")]
    content_type: ImageType

    def is_of(self, uid: str) -> bool:
        """Whether it is in this user's folder: the functions could read everybody's."""
        return self.path.startswith(f"users/{uid}/images/")


class Message(Stored):
    """One message as stored. `token_count` is absent until it has been counted.

    `text` is empty only beside an `image`.

    `set_aside_by` names the cycle that found the model to refuse it: it stays, and memory goes
    on without it. `generation_id` is the same for all the messages of one generated reply.

    `expires_at` is when retention ends, after which nobody reads it any more (None: it is kept).
    """

    message_id: str
    role: Role
    image: Image | None = None
    text: str
    created_at: AwareDatetime
    token_count: int | None = None
    set_aside_by: str | None = None
    generation_id: str | None = None
    expires_at: AwareDatetime | None = None

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, info: ValidationInfo) -> str:
        if not text and info.data.get("image") is None:
            raise PydanticCustomError("empty_message", "must not be empty without an image")
        return text

    @property
    def ref(self) -> MessageRef:
        return MessageRef(created_at=self.created_at, message_id=self.message_id)


class Thread(Stored):
    """The thread's own document. An absent status means `pending`."""

    created_at: AwareDatetime | None = None
    memory_status: MemoryStatus = "pending"


class Counter(Stored):
    """Messages that no cycle has consumed yet, in tokens and in number."""

    pending_tokens: int = 0
    pending_messages: int = 0


class Lease(Stored):
    """The live cycle: who works on memory now, and until when nobody else may."""

    cycle_id: str
    token: str
    expires_at: AwareDatetime


class MemoryState(Stored):
    """The fence of a thread's memory. Chat traffic never writes it.

    `generation` counts applied cycles. `cursor` is the last message consumed.
    `window_start` is the first message of the live window (None: the thread's first).
    `suspects` is how many messages after the cursor hold one that the model refuses (None: none
    is known). `turns` counts the turns that applied cycles have consumed. The index of the
    lorebook holds `lorebook_entries` (None: unknown, so it is rebuilt) in `lorebook_shards`.
    `revision` moves whenever what a cycle under way may have read has been edited or deleted.
    `reread` are messages before the cursor that the next cycle reads again, since the memory that
    rested on them was withdrawn.
    """

    generation: int = Field(default=0, ge=0)
    cursor: MessageRef | None = None
    window_start: MessageRef | None = None
    suspects: int | None = None
    turns: int = 0
    lorebook_entries: int | None = None
    lorebook_shards: int = 0
    embedding_shards: int = 0
    revision: int = 0
    reread: tuple[MessageRef, ...] = ()
    lease: Lease | None = None
