"""A cycle: one model call that rewrites memory, and the record of it (design: Words)."""

from typing import Literal

from pydantic import AwareDatetime, Field

from shared.model.base import Frozen, Stored
from shared.model.evidence import EvidenceRow
from shared.model.memory_import import ImportRequest, PlayRead
from shared.model.slots import Slots
from shared.model.thread import MessageRef

CycleKind = Literal["seed", "import", "summary", "rollback"]
CycleStatus = Literal["queued", "claimed", "generated", "applied", "rejected", "waiting", "blocked"]
FailureClass = Literal["transient", "content", "format", "configuration", "budget"]


def cycle_id_of(generation: int) -> str:
    """The id of the cycle that makes `generation`: zero-padded, so that ids sort by age."""
    return f"{generation:06d}"


class PromptUsed(Stored):
    """Which prompt a model call was made with."""

    name: str
    version: str
    sha256: str


class Output(Stored):
    """What a model answered, kept (redacted) before it is applied: a cycle is paid for once."""

    text: str
    prompt: PromptUsed
    model_asked: str
    model_answered: str
    tokens_in: int
    tokens_out: int
    latency_ms: int
    cost_microdollars: int | None = None


class Consumed(Stored):
    """The fixed bounds of a summary cycle's snapshot.

    `count`, `tokens` and `turns` are of all messages; `readable` leaves out those set aside.
    `message_ids` are those that were read, in the order of their numbers in the prompt; some may
    be from before `first`, which were read again. `after` was the cursor.
    """

    first: MessageRef
    last: MessageRef
    count: int
    tokens: int
    readable: int = 0
    turns: int = 0
    window_start: MessageRef
    message_ids: tuple[str, ...] = ()
    after: MessageRef | None = None


class Failure(Stored):
    """Why an attempt did not end in `applied`; never a user's text."""

    failure_class: FailureClass
    reason: str


class Rejection(Stored):
    """An output that was not applied, kept for the audit."""

    kind: CycleKind
    failure: Failure
    output: Output | None = None

    def without_text(self) -> "Rejection":
        """That it was paid for stays on record, what it said does not: it may have read messages
        that no applied cycle has, and which therefore nothing ties to this record.
        """
        output = self.output and self.output.model_copy(update={"text": ""})
        return self.model_copy(update={"output": output})


class RollbackAudit(Stored):
    """Who asked for a rollback, by which request, and what has come of it so far.

    `requested_by` is an operator's uid. Entries are counted as they are moved. `pending_messages`
    and `pending_tokens` are what the counter moved by: below zero where a rollback to a later
    state takes back what an earlier rollback had made pending.
    """

    request_id: str
    requested_by: str
    entries_withdrawn: int = 0
    entries_returned: int = 0
    pending_messages: int = 0
    pending_tokens: int = 0


class Cycle(Stored):
    """`cycles/{cycle_id}`: the state of one cycle's work and, once applied, its audit.

    `revision` is the fence's when the output was kept: once that has moved on, it is not used.
    `expires_at` is when the audit's retention ends (None: it is kept).
    Of a seed or import: `episode_summaries` were written for it, by play; `episode_sources` are
    the summaries that the model read, as `play_id/index` and in the order of their labels, and
    `plays_read` is how far each play had gone then.
    """

    cycle_id: str
    kind: CycleKind
    status: CycleStatus
    requested_at: AwareDatetime
    moved_at: AwareDatetime | None = None
    requests: int = 1
    attempts: int = 0
    not_before: AwareDatetime | None = None
    lease_token: str | None = None
    revision: int = 0
    consumed: Consumed | None = None
    episode_play_ids: tuple[str, ...] = ()
    episode_summaries: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    episode_sources: tuple[str, ...] = ()
    plays_read: dict[str, PlayRead] = Field(default_factory=dict)
    import_request: ImportRequest | None = None
    output: Output | None = None
    before: Slots | None = None
    after: Slots | None = None
    lorebook_entries: int = 0
    evidence: tuple[EvidenceRow, ...] = ()
    applied_at: AwareDatetime | None = None
    failure: Failure | None = None
    format_failures: int = 0
    content_failures: int = 0
    set_aside: tuple[MessageRef, ...] = ()
    rejections: tuple[Rejection, ...] = ()
    expires_at: AwareDatetime | None = None
    rolled_back_to: int | None = None
    rollback: RollbackAudit | None = None

    @property
    def generation(self) -> int:
        return int(self.cycle_id)


class CycleResult(Frozen):
    """What a use case that works on a cycle answers."""

    cycle_id: str
    outcome: Literal["applied", "already_applied", "rejected", "blocked", "nothing_to_do"]
    slots_changed: tuple[str, ...] = ()
    messages_consumed: int = 0
