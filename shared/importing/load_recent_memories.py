"""A user asks for what was played since to be brought into memory (PRD §5.1, T2)."""

from typing import Literal

from shared.errors import DocumentNotFoundError, RetryLaterError, StaleClaimError
from shared.importing.unread_plays import choose_unread
from shared.model.base import Frozen
from shared.model.ids import DocumentId
from shared.model.memory_import import ImportAnswer, ImportFailure, LiveImport
from shared.model.thread import ThreadKey
from shared.ports import HeldImport
from shared.summarizing.request_cycle import enqueue
from shared.summarizing.waiting_import import SEED_TO_COME, record_import, start_waiting_import
from shared.summarizing.working import CyclePorts

TRIES = 3
POLL_SECONDS = 0.5


class LoadRecentMemories(Frozen):
    """Import into this thread; `request_id` is the app's own, once an import."""

    thread: ThreadKey
    request_id: DocumentId
    charge_id: str | None = None


class MemoriesLoaded(Frozen):
    """What has come of it so far. `running`: ask again, or watch `live/import`."""

    status: Literal["imported", "nothing_new", "running", "failed"]
    kind: ImportFailure | None = None
    cycle_id: str | None = None
    episode_play_ids: tuple[str, ...] | None = None
    slots_changed: tuple[str, ...] | None = None


def load_recent_memories(command: LoadRecentMemories, *, ports: CyclePorts) -> MemoriesLoaded:
    """Put an import on record, if there is something to import, and wait a while for its end.

    The queue does the work. The same request again answers the same; after a failure it tries
    again. While another import is under way, that one is waited for. Raises
    DocumentNotFoundError, DocumentMisshapenError and RetryLaterError.
    """
    clock = ports.clock
    deadline = clock.monotonic() + ports.settings.import_wait_seconds
    loaded = _ask(command, ports)
    while loaded.status == "running" and clock.monotonic() < deadline:
        clock.wait(POLL_SECONDS)
        loaded = _look(command, ports)
    return loaded


def _ask(command: LoadRecentMemories, ports: CyclePorts) -> MemoriesLoaded:
    """The answer that was given to this request, or a beginning of one."""
    for _ in range(TRIES):
        held = ports.memory.read_import(command.thread)
        known = held and held.live.answer_to(command.request_id)
        if known:
            return _as_loaded(known)
        try:
            if held is None or not _goes_on(command.thread, held, ports):
                return _begin(command, held, ports)
        except StaleClaimError:
            continue
        return MemoriesLoaded(status="running")
    raise RetryLaterError("imports of this thread follow one another too fast")


def _look(command: LoadRecentMemories, ports: CyclePorts) -> MemoriesLoaded:
    """How far it is; where another request was waited for, this one has its turn."""
    held = ports.memory.read_import(command.thread)
    if held is None or held.live.status == "running":
        _start_waiting(command.thread, ports)
        return MemoriesLoaded(status="running")
    if held.live.status == "failed" and held.live.request_id == command.request_id:
        return MemoriesLoaded(status="failed", kind=held.live.kind)
    return _ask(command, ports)


def _as_loaded(answer: ImportAnswer) -> MemoriesLoaded:
    if answer.cycle_id is None:
        return MemoriesLoaded(status="nothing_new")
    return MemoriesLoaded(status="imported", **answer.model_dump(exclude={"request_id"}))


def _goes_on(key: ThreadKey, held: HeldImport, ports: CyclePorts) -> bool:
    """Whether an import is under way, which is given a push: what set it going may have died.

    One that says so and has no cycle on record has been lost, and is begun anew.
    """
    if held.live.status != "running":
        return False
    if held.live.waiting_since is not None:
        _start_waiting(key, ports)
        return True
    cycle = ports.memory.read_cycle(key, None).cycle
    if cycle is None or cycle.kind != "import" or cycle.import_request != held.live.request:
        return False
    if cycle.status == "queued":
        enqueue(key, cycle, tasks=ports.tasks, delay_seconds=0)
    return cycle.status not in {"rejected", "blocked"}


def _begin(
    command: LoadRecentMemories, held: HeldImport | None, ports: CyclePorts
) -> MemoriesLoaded:
    """Nothing new, or the next cycle, or a place behind the one that goes first."""
    key, memory = command.thread, ports.memory
    thread = ports.threads.read_thread(key)
    if thread is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    begun = _begun(command, held, ports)
    if thread.memory_status not in SEED_TO_COME:
        soul = ports.souls.read_soul(key.soul_id).soul
        chosen, _ = choose_unread(key, soul.character_ids, memory=memory, plays=ports.plays)
        if not chosen:
            answer = ImportAnswer(request_id=command.request_id)
            memory.write_import(key, begun.model_copy(update={"live": begun.live.ended(answer)}))
            return _as_loaded(answer)
        if record_import(key, begun, memory=memory, tasks=ports.tasks, clock=ports.clock):
            return MemoriesLoaded(status="running")
    waiting = begun.live.model_copy(update={"waiting_since": ports.clock.now()})
    memory.write_import(key, begun.model_copy(update={"live": waiting}))
    _start_waiting(key, ports)  # what it waits for may have ended before this was written
    return MemoriesLoaded(status="running")


def _start_waiting(key: ThreadKey, ports: CyclePorts) -> None:
    start_waiting_import(
        key, memory=ports.memory, threads=ports.threads, tasks=ports.tasks, clock=ports.clock
    )


def _begun(command: LoadRecentMemories, held: HeldImport | None, ports: CyclePorts) -> HeldImport:
    """`live/import` as this request will have it, over the version that was read."""
    live = LiveImport(
        status="running",
        request_id=command.request_id,
        charge_id=command.charge_id,
        requested_at=ports.clock.now(),
        answered=held.live.answered if held else (),
    )
    return HeldImport(live=live, version=held.version if held else None)
