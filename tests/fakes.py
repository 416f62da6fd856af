"""The ports in memory. They keep the rules that the real ones keep; tests look at their state."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from shared.errors import (
    DocumentNotFoundError,
    ModelError,
    ModelUnavailableError,
    StaleClaimError,
    UserGoneError,
)
from shared.events import Event
from shared.forgetting.change_ports import Audit, ChangeRecord, Settlement
from shared.model.cycle import Cycle, cycle_id_of
from shared.model.generation import Generation, ModelRequest
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import PlaysRead
from shared.model.play import Play, PlaySummary, Scene
from shared.model.slots import Slot, SlotName
from shared.model.thread import (
    Counter,
    MemoryState,
    MemoryStatus,
    Message,
    MessageRef,
    Thread,
    ThreadKey,
)
from shared.ports import (
    BudgetCall,
    Counted,
    CycleRead,
    DirectorDocuments,
    Embeddings,
    HeldImport,
    MemoryChange,
    PromptSources,
    Versioned,
)


class FakeClock:
    """A clock that moves only when it is told to, or waited on."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    def wait(self, seconds: float) -> None:
        self.pass_time(seconds)

    def pass_time(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._elapsed += seconds


class FakeChance:
    """Tokens in order."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def token(self) -> str:
        return f"nonce{next(self._numbers)}"


class FakeTokens:
    """One token a character: easy to reckon with."""

    def count(self, text: str) -> int:
        return len(text)


class FakeEvents:
    """Events as they came."""

    def __init__(self) -> None:
        self.emitted: list[Event] = []

    def emit(self, event: Event) -> None:
        self.emitted.append(event)

    def names(self) -> list[str]:
        return [event.model_dump()["event"] for event in self.emitted]


class FakeModel:
    """Answers what it was given, in order; an error in the list is raised."""

    def __init__(self, *answers: str | ModelError) -> None:
        self.answers = list(answers)
        self.requests: list[ModelRequest] = []

    def generate(self, request: ModelRequest) -> Generation:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return Generation(
            text=answer,
            model_asked=request.models[0],
            model_answered=request.models[0],
            tokens_in=len(request.system) + len(request.user),
            tokens_out=len(answer),
            latency_ms=7,
        )


class FakeBreaker:
    """Opens after three wrong settings in a row, as the real one does."""

    def __init__(self) -> None:
        self.failures = 0
        self.probe = False

    def admits(self) -> bool:
        granted, self.probe = self.probe, False
        return not self.is_open() or granted

    def record(self, *, configured: bool) -> None:
        self.failures = 0 if configured else self.failures + 1

    def is_open(self) -> bool:
        return self.failures >= 3

    def grant_probe(self) -> None:
        self.probe = True


class FakeEmbedder:
    """Vectors of letter counts: like texts have like vectors. `broken` fails every call."""

    def __init__(self, model: str = "letters", dimensions: int = 8) -> None:
        self.model = model
        self.dimensions = dimensions
        self.broken = False
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> Embeddings:
        self.calls += 1
        if self.broken:
            raise ModelUnavailableError("503")
        return Embeddings(model=self.model, vectors=tuple(self._vector(text) for text in texts))

    def _vector(self, text: str) -> tuple[float, ...]:
        sums = [1.0] * self.dimensions
        for char in text:
            sums[ord(char) % self.dimensions] += 1
        return tuple(sums)


class FakeBudget:
    """So many calls, then none; what was reserved and settled, by call."""

    def __init__(self, calls: int = 1_000_000) -> None:
        self.calls_left = calls
        self.reserved: dict[str, int] = {}
        self.settled: dict[str, int] = {}
        self.left: set[str] = set()

    def reserve(self, call: BudgetCall, tokens: int) -> bool:
        if call.uid in self.left:
            raise UserGoneError
        if self.calls_left <= 0:
            return False
        self.calls_left -= 1
        self.reserved[f"{call.day} {call.call_id}"] = tokens
        return True

    def settle(self, call: BudgetCall, tokens: int) -> None:
        self.settled[f"{call.day} {call.call_id}"] = tokens


class FakeTasks:
    """Tasks by name: the same one twice is on the queue once."""

    def __init__(self) -> None:
        self.queued: dict[tuple[ThreadKey, int, int], float] = {}

    def enqueue_cycle(
        self, key: ThreadKey, *, generation: int, request: int, delay_seconds: float
    ) -> None:
        self.queued.setdefault((key, generation, request), delay_seconds)


class FakeStore:
    """One database for the Threads, Memory, Changes, Lorebook and PromptSourceReader ports.

    `meanwhile` happens once, just before the next settlement of a change is written. `left` are
    users whose data was deleted: nothing is created for them.
    """

    def __init__(self) -> None:
        self.threads: dict[ThreadKey, Thread] = {}
        self.messages: dict[ThreadKey, dict[str, Message]] = {}
        self.counters: dict[ThreadKey, Counter] = {}
        self.states: dict[ThreadKey, MemoryState] = {}
        self.cycles: dict[tuple[ThreadKey, str], CycleRead] = {}
        self.slots: dict[ThreadKey, dict[SlotName, Slot]] = {}
        self.entries: dict[ThreadKey, dict[str, LorebookEntry]] = {}
        self.souls: dict[str, DirectorDocuments] = {}
        self.shards: dict[ThreadKey, dict[int, bytes]] = {}
        self.embeddings: dict[ThreadKey, dict[int, bytes]] = {}
        self.withdrawn: dict[ThreadKey, dict[str, LorebookEntry]] = {}
        self.changes: dict[tuple[ThreadKey, str], ChangeRecord] = {}
        self.meanwhile: Callable[[], object] | None = None
        self.pending_since: dict[ThreadKey, datetime] = {}
        self.imports: dict[ThreadKey, HeldImport] = {}
        self.plays_read: dict[ThreadKey, PlaysRead] = {}
        self.left: set[str] = set()
        self.commits = 0
        self.dies_on_applying = False
        self._state_versions: dict[ThreadKey, int] = {}

    def add_message(self, key: ThreadKey, message: Message) -> Versioned:
        self.messages.setdefault(key, {})[message.message_id] = message
        return Versioned(message=message, version=None)

    # Threads
    def read_thread(self, key: ThreadKey) -> Thread | None:
        return self.threads.get(key)

    def set_memory_status(self, key: ThreadKey, status: MemoryStatus) -> None:
        self._check_here(key)
        if key not in self.threads:
            raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
        self.threads[key] = self.threads[key].model_copy(update={"memory_status": status})

    def read_message(self, key: ThreadKey, message_id: str) -> Versioned | None:
        found = self.messages.get(key, {}).get(message_id)
        return Versioned(message=found, version=None) if found else None

    def read_messages(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Message]:
        return [one for one in self._from(key, None) if one.message_id in message_ids]

    def read_counter(self, key: ThreadKey) -> Counter:
        return self.counters.get(key, Counter())

    def count_tokens(
        self,
        key: ThreadKey,
        message: Versioned,
        tokens: int,
        *,
        expires_at: datetime | None = None,
    ) -> Counted:
        stored = self.messages[key][message.message.message_id]
        newly = stored.token_count is None
        if newly:
            counted = stored.model_copy(update={"token_count": tokens, "expires_at": expires_at})
            self.messages[key][stored.message_id] = counted
            since = self.pending_since.get(key, stored.created_at)
            self.pending_since[key] = min(since, stored.created_at)
            self._move_counter(key, tokens, 1)
        if self.read_counter(key).pending_messages <= 1:
            self._check_here(key)
        return Counted(newly=newly, counter=self.read_counter(key))

    def _check_here(self, key: ThreadKey) -> None:
        if key.uid in self.left:
            raise UserGoneError

    def messages_from(
        self, key: ThreadKey, start: MessageRef | None, *, until: datetime, limit: int
    ) -> Sequence[Versioned]:
        found = [one for one in self._from(key, start) if one.created_at <= until]
        return [Versioned(message=one, version=None) for one in found[:limit]]

    def latest_messages(
        self, key: ThreadKey, start: MessageRef | None, *, limit: int
    ) -> Sequence[Message]:
        return self._from(key, start)[-limit:]

    def count_messages_from(self, key: ThreadKey, start: MessageRef | None) -> int:
        return len(self._from(key, start))

    def _from(self, key: ThreadKey, start: MessageRef | None) -> list[Message]:
        ordered = sorted(
            self.messages.get(key, {}).values(), key=lambda one: (one.created_at, one.message_id)
        )
        return [one for one in ordered if start is None or not one.ref.is_before(start)]

    def _move_counter(self, key: ThreadKey, tokens: int, messages: int) -> None:
        before = self.read_counter(key)
        self.counters[key] = Counter(
            pending_tokens=before.pending_tokens + tokens,
            pending_messages=before.pending_messages + messages,
        )

    # Memory
    def read_cycle(self, key: ThreadKey, generation: int | None) -> CycleRead:
        state = self.states.get(key, MemoryState())
        wanted = cycle_id_of(state.generation + 1 if generation is None else generation)
        stored = self.cycles.get((key, wanted))
        return CycleRead(
            state=state,
            cycle=stored.cycle if stored else None,
            state_version=self._state_versions.get(key),
            cycle_version=stored.cycle_version if stored else None,
        )

    def commit(self, key: ThreadKey, read: CycleRead, change: MemoryChange) -> CycleRead:
        if self.dies_on_applying and change.slots:
            raise ConnectionError
        now = self.read_cycle(key, change.cycle.generation)
        if now.cycle is None:
            self._check_here(key)
        if now.cycle_version != read.cycle_version:
            raise StaleClaimError("the cycle has moved on")
        if change.state is not None and now.state_version != read.state_version:
            raise StaleClaimError("the fence has moved on")
        if change.live_import is not None:
            self.write_import(key, change.live_import)
        self.commits += 1
        stored = CycleRead(state=MemoryState(), cycle=change.cycle, cycle_version=self.commits)
        self.cycles[key, change.cycle.cycle_id] = stored
        if change.state is not None:
            self.states[key] = change.state
            self._state_versions[key] = self.commits
        self.slots.setdefault(key, {}).update(change.slots)
        self.entries.setdefault(key, {}).update({one.entry_id: one for one in change.entries})
        self.shards.setdefault(key, {}).update(change.shards)
        self.embeddings.setdefault(key, {}).update(change.embeddings)
        self._drop_empty_shards(key)
        if change.consumed is not None:
            taken = change.consumed
            self._move_counter(key, -taken.pending_tokens, -taken.pending_messages)
            if change.state is not None and change.state.cursor is not None:
                self.pending_since[key] = change.state.cursor.created_at
        if change.refused_message_id is not None:
            refused = self.messages[key][change.refused_message_id]
            marked = refused.model_copy(update={"set_aside_by": change.cycle.cycle_id})
            self.messages[key][refused.message_id] = marked
        if change.memory_status is not None:
            self.set_memory_status(key, change.memory_status)
        if change.plays_read is not None:
            self.plays_read[key] = change.plays_read
        return self.read_cycle(key, change.cycle.generation)

    def _drop_empty_shards(self, key: ThreadKey) -> None:
        for kept in (self.shards[key], self.embeddings[key]):
            for number in [number for number, data in kept.items() if not data]:
                del kept[number]

    def write_index(
        self,
        key: ThreadKey,
        read: CycleRead,
        state: MemoryState,
        shards: Mapping[int, bytes],
        embeddings: Mapping[int, bytes],
    ) -> None:
        if self.read_cycle(key, None).state_version != read.state_version:
            raise StaleClaimError("the fence has moved on")
        self.commits += 1
        self.states[key] = state
        self._state_versions[key] = self.commits
        self.shards[key] = dict(shards)
        self.embeddings[key] = dict(embeddings)

    def read_slots(self, key: ThreadKey) -> Mapping[SlotName, Slot]:
        return self.slots.get(key, {})

    # Changes
    def read_change(self, key: ThreadKey, change_id: str) -> ChangeRecord:
        return self.changes.get((key, change_id), ChangeRecord())

    def begin(self, key: ThreadKey, change_id: str, record: ChangeRecord) -> ChangeRecord:
        if self.read_change(key, change_id).version != record.version:
            raise StaleClaimError("another attempt at this change goes on")
        self.commits += 1
        self.changes[key, change_id] = record.model_copy(update={"version": self.commits})
        return self.changes[key, change_id]

    def audits_since(self, key: ThreadKey, ref: MessageRef) -> Sequence[Audit]:
        found = [
            Audit(cycle=read.cycle, version=read.cycle_version)
            for (of, _), read in sorted(self.cycles.items(), key=lambda item: item[0][1])
            if of == key and read.cycle is not None
        ]
        reached = [
            one.cycle.cycle_id
            for one in found
            if one.cycle.consumed and one.cycle.consumed.last.created_at >= ref.created_at
        ]
        return [one for one in found if reached and one.cycle.cycle_id >= min(reached)]

    def withdrawn_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        return list(self.withdrawn.get(key, {}).values())

    def rewrite_audits(self, key: ThreadKey, audits: Sequence[Audit]) -> None:
        for one in audits:
            stored = self.cycles[key, one.cycle.cycle_id]
            if stored.cycle_version != one.version:
                raise StaleClaimError("an audit has been written meanwhile")
            self.commits += 1
            self.cycles[key, one.cycle.cycle_id] = CycleRead(
                state=MemoryState(), cycle=one.cycle, cycle_version=self.commits
            )

    def settle(self, key: ThreadKey, read: CycleRead, settlement: Settlement) -> None:
        happening, self.meanwhile = self.meanwhile, None
        if happening is not None:
            happening()
        stored = self.read_change(key, settlement.change_id)
        if stored.settled:
            return
        if stored.version != settlement.record.version:
            raise StaleClaimError("another attempt at this change goes on")
        if self._state_versions.get(key) != read.state_version:
            raise StaleClaimError("memory has moved meanwhile")
        self.rewrite_audits(key, settlement.audits)
        self.commits += 1
        self.changes[key, settlement.change_id] = ChangeRecord(settled=True, version=self.commits)
        self.states[key] = settlement.state
        self._state_versions[key] = self.commits
        if settlement.message is not None:
            found = settlement.message.message
            expires_at = found.expires_at or settlement.expires_at
            changes = {"token_count": settlement.token_count, "expires_at": expires_at}
            marked = found.model_copy(update=changes)
            self.messages[key][found.message_id] = marked
        counted = settlement.counted
        self._move_counter(key, counted.pending_tokens, counted.pending_messages)
        self.slots.setdefault(key, {}).update(settlement.slots)
        entries = self.entries.setdefault(key, {})
        for entry_id in settlement.removed_entries:
            del entries[entry_id]
        for entry_id in settlement.removed_withdrawn:
            del self.withdrawn[key][entry_id]
        entries.update({one.entry_id: one for one in settlement.changed_entries})
        self.shards.setdefault(key, {}).update(settlement.shards)
        self.embeddings.setdefault(key, {}).update(settlement.embeddings)
        self._drop_empty_shards(key)

    # Imports
    def read_import(self, key: ThreadKey) -> HeldImport | None:
        return self.imports.get(key)

    def write_import(self, key: ThreadKey, held: HeldImport) -> None:
        stored = self.imports.get(key)
        if held.version != (stored.version if stored else None):
            raise StaleClaimError("another import has begun")
        self.commits += 1
        self.imports[key] = held.model_copy(update={"version": self.commits})

    def read_plays_read(self, key: ThreadKey) -> PlaysRead | None:
        return self.plays_read.get(key)

    def applied_seeds(self, key: ThreadKey) -> Sequence[Cycle]:
        cycles = [one.cycle for (of, _), one in self.cycles.items() if of == key and one.cycle]
        return [one for one in cycles if one.kind == "seed" and one.status == "applied"]

    # Lorebook, Souls, PromptSourceReader
    def read_entries(self, key: ThreadKey, entry_ids: Sequence[str]) -> Sequence[LorebookEntry]:
        stored = self.entries.get(key, {})
        return [stored[name] for name in entry_ids if name in stored]

    def all_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        stored = self.entries.get(key, {})
        return [stored[name] for name in sorted(stored)]

    def read_shards(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        stored = self.shards.get(key, {})
        return [stored[number] for number in numbers if number in stored]

    def read_embeddings(self, key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        stored = self.embeddings.get(key, {})
        return [stored[number] for number in numbers if number in stored]

    def read_soul(self, soul_id: str) -> DirectorDocuments:
        if soul_id not in self.souls:
            raise DocumentNotFoundError(f"souls/{soul_id}")
        return self.souls[soul_id]

    def read_prompt_sources(self, key: ThreadKey) -> PromptSources:
        director = self.read_soul(key.soul_id)
        thread = self.threads.get(key)
        if thread is None or key.uid in self.left:
            raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
        return PromptSources(
            soul_id=key.soul_id,
            director=director,
            thread=thread,
            state=self.states.get(key, MemoryState()),
            slots=self.slots.get(key, {}),
            first_shard=self.shards.get(key, {}).get(0),
        )


class FakePlays:
    """Plays with their summaries and scenes."""

    def __init__(self) -> None:
        self.plays: list[Play] = []
        self.stored_summaries: dict[str, list[PlaySummary]] = {}
        self.stored_scenes: dict[str, list[Scene]] = {}

    def list_plays(self, uid: str) -> Sequence[Play]:
        return self.plays

    def summaries(self, uid: str, play_id: str) -> Sequence[PlaySummary]:
        return self.stored_summaries.get(play_id, [])

    def scenes(self, uid: str, play_id: str) -> Sequence[Scene]:
        return self.stored_scenes.get(play_id, [])

    def last_summary(self, uid: str, play_id: str) -> int:
        return max((one.index for one in self.summaries(uid, play_id)), default=-1)
