"""What the core needs of the world: adapters fill these, tests fake them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pydantic import Field

from shared.events import Event
from shared.model.base import Frozen
from shared.model.cycle import Cycle, PromptUsed
from shared.model.generation import Generation, ModelRequest
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport, PlaysRead
from shared.model.play import Play, PlaySummary, Scene
from shared.model.slots import DefaultPersona, InitialSituation, MessengerBio, Slot, SlotName, Soul
from shared.model.thread import (
    Counter,
    MemoryState,
    MemoryStatus,
    Message,
    MessageRef,
    Thread,
    ThreadKey,
)
from shared.prompting import PromptTemplate


class Clock(Protocol):
    """Time. `monotonic` is in seconds and only good for differences."""

    def now(self) -> datetime: ...
    def monotonic(self) -> float: ...
    def wait(self, seconds: float) -> None: ...


class Chance(Protocol):
    """Randomness: a token nobody can guess."""

    def token(self) -> str: ...


class TokenCounter(Protocol):
    """Counts o200k_base tokens."""

    def count(self, text: str) -> int: ...


class EventLog(Protocol):
    """Where events go."""

    def emit(self, event: Event) -> None: ...


class Model(Protocol):
    """A language model. Raises a `ModelError` of the class that says what to do next."""

    def generate(self, request: ModelRequest) -> Generation: ...


class Embeddings(Frozen):
    """One vector a text, in order, and the model that made them all."""

    model: str
    vectors: tuple[tuple[float, ...], ...]


class Embedder(Protocol):
    """Turns texts into vectors. Raises a ModelError within its own deadline."""

    def embed(self, texts: Sequence[str]) -> Embeddings: ...


class Prompts(Protocol):
    """The prompt files. Raises KeyError for a name or a version that no file has."""

    def load(self, name: str, thread: ThreadKey | None = None) -> PromptTemplate:
        """The prompt in the version that this thread is on, with the models to ask for it."""
        ...

    def made_with(self, used: PromptUsed) -> PromptTemplate:
        """The prompt that an output was made with, whatever the thread is on by now."""
        ...


class Breaker(Protocol):
    """Keeps every worker from asking a model that a wrong setting keeps from answering."""

    def admits(self) -> bool:
        """Whether a call may be made now: closed, or open with a probe granted, once."""
        ...

    def record(self, *, configured: bool) -> None:
        """What a call told: an answer closes it, enough wrong settings in a row open it."""
        ...

    def is_open(self) -> bool: ...
    def grant_probe(self) -> None: ...


class BudgetCall(Frozen):
    """One model call, as the budget knows it: whose, on which day, and which."""

    uid: str
    day: str
    call_id: str


class Budget(Protocol):
    """What a user, and the project, may spend on memory's model calls a day."""

    def reserve(self, call: BudgetCall, tokens: int) -> bool:
        """Set `tokens` and one call aside; False, and nothing set aside, when over a limit.

        Like every port that creates something of a user's, raises UserGoneError after a deletion.
        """
        ...

    def settle(self, call: BudgetCall, tokens: int) -> None: ...


class Tasks(Protocol):
    """The queue. Enqueuing the same request twice puts one task on it."""

    def enqueue_cycle(
        self, key: ThreadKey, *, generation: int, request: int, delay_seconds: float
    ) -> None: ...


class Versioned(Frozen):
    """A message with the version that a conditional write must find unchanged."""

    message: Message
    version: object


class Counted(Frozen):
    """What counting a message came to: `newly` is False when it had been counted before."""

    newly: bool
    counter: Counter


class Threads(Protocol):
    """Threads and their messages."""

    def read_thread(self, key: ThreadKey) -> Thread | None: ...
    def read_message(self, key: ThreadKey, message_id: str) -> Versioned | None: ...
    def read_messages(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Message]:
        """Those of these ids that are there, oldest first."""
        ...

    def set_memory_status(self, key: ThreadKey, status: MemoryStatus) -> None: ...
    def count_tokens(
        self,
        key: ThreadKey,
        message: Versioned,
        tokens: int,
        *,
        expires_at: datetime | None = None,
    ) -> Counted:
        """Mark the message, with when it expires, and move the counter; once a message."""
        ...

    def read_counter(self, key: ThreadKey) -> Counter: ...

    def messages_from(
        self, key: ThreadKey, start: MessageRef | None, *, until: datetime, limit: int
    ) -> Sequence[Versioned]:
        """Oldest first, `start` included, created at or before `until`."""
        ...

    def latest_messages(
        self, key: ThreadKey, start: MessageRef | None, *, limit: int
    ) -> Sequence[Message]:
        """The newest `limit` messages at or after `start`, oldest first."""
        ...

    def count_messages_from(self, key: ThreadKey, start: MessageRef | None) -> int: ...


class CycleRead(Frozen):
    """A thread's fence and one cycle as read, with the versions that a commit must find."""

    state: MemoryState
    cycle: Cycle | None
    state_version: object = None
    cycle_version: object = None


class HeldImport(Frozen):
    """`live/import` of a thread, with the version that a write must find (None: none is there)."""

    live: LiveImport
    version: object = None


class MemoryChange(Frozen):
    """What one commit writes, all of it or none.

    `consumed` comes off the counter (what is below zero comes back onto it). An empty shard is
    deleted. `refused_message_id` marks the message that this cycle sets aside. `live_import` is
    written if what is stored is still of its version.
    """

    state: MemoryState | None = None
    cycle: Cycle
    slots: Mapping[SlotName, Slot] = Field(default_factory=dict)
    entries: Sequence[LorebookEntry] = ()
    shards: Mapping[int, bytes] = Field(default_factory=dict)
    embeddings: Mapping[int, bytes] = Field(default_factory=dict)
    consumed: Counter | None = None
    refused_message_id: str | None = None
    memory_status: MemoryStatus | None = None
    live_import: HeldImport | None = None
    plays_read: PlaysRead | None = None


class Imports(Protocol):
    """What was asked to be imported into a thread's memory, and what memory has read."""

    def read_import(self, key: ThreadKey) -> HeldImport | None: ...
    def write_import(self, key: ThreadKey, held: HeldImport) -> None:
        """Write it if nothing has moved since `held` was read; StaleClaimError otherwise."""
        ...

    def read_plays_read(self, key: ThreadKey) -> PlaysRead | None:
        """None for a thread whose cycles were applied before this was put on record."""
        ...

    def applied_seeds(self, key: ThreadKey) -> Sequence[Cycle]: ...


class Memory(Imports, Protocol):
    """The fence, the cycles and the slots of a thread."""

    def read_cycle(self, key: ThreadKey, generation: int | None) -> CycleRead:
        """The fence and the cycle that makes `generation` (None: the next one)."""
        ...

    def commit(self, key: ThreadKey, read: CycleRead, change: MemoryChange) -> CycleRead:
        """Write `change` if nothing has moved since `read`; StaleClaimError otherwise.

        A commit whose acknowledgement was lost is recognised by reading it back.
        """
        ...

    def read_slots(self, key: ThreadKey) -> Mapping[SlotName, Slot]: ...

    def write_index(
        self,
        key: ThreadKey,
        read: CycleRead,
        state: MemoryState,
        shards: Mapping[int, bytes],
        embeddings: Mapping[int, bytes],
    ) -> None:
        """Write both sorts of shards and the fence if it has not moved; else StaleClaimError."""
        ...


class DirectorDocuments(Frozen):
    """What the director wrote of a Soul."""

    soul: Soul
    bio: MessengerBio
    persona: DefaultPersona
    initial_situation: InitialSituation | None


class Souls(Protocol):
    """The director's documents. Raises DocumentNotFoundError, DocumentMisshapenError."""

    def read_soul(self, soul_id: str) -> DirectorDocuments: ...


class Plays(Protocol):
    """What the game recorded."""

    def list_plays(self, uid: str) -> Sequence[Play]: ...
    def summaries(self, uid: str, play_id: str) -> Sequence[PlaySummary]: ...
    def scenes(self, uid: str, play_id: str) -> Sequence[Scene]: ...
    def last_summary(self, uid: str, play_id: str) -> int:
        """The index of the last summary; -1 without any."""
        ...


class Lorebook(Protocol):
    """What happened, as appended by cycles."""

    def read_entries(self, key: ThreadKey, entry_ids: Sequence[str]) -> Sequence[LorebookEntry]: ...
    def all_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]: ...
    def read_shards(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        """The packed index's shards of these numbers; those that exist."""
        ...

    def read_embeddings(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]: ...


class PromptSources(Frozen):
    """Everything but the lorebook that a prompt is composed from, read at once.

    `window` holds the newest messages of the live window where they were read along (None: not).
    """

    soul_id: str
    director: DirectorDocuments
    thread: Thread
    state: MemoryState
    slots: Mapping[SlotName, Slot]
    first_shard: bytes | None = None
    window: Sequence[Message] | None = None


class PromptSourceReader(Protocol):
    """One batched read. Raises like `Souls`, and DocumentNotFoundError without a thread."""

    def read_prompt_sources(self, key: ThreadKey) -> PromptSources: ...
