"""A thread's first memory, made of the episodes that were lived through (PRD §5)."""

from typing import Literal

from shared.errors import DocumentMisshapenError, DocumentNotFoundError, ModelError, RetryLaterError
from shared.model.base import Frozen
from shared.model.thread import MemoryStatus, Thread, ThreadKey
from shared.seeding.choose_plays import choose_plays
from shared.seeding.extracting import apply_extraction, extract
from shared.seeding.write_summaries import write_missing_summaries
from shared.summarizing import states
from shared.summarizing.asking import read_director
from shared.summarizing.failing import end_in_failure
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import CyclePorts, HeldCycle, hold

FINISHED: frozenset[MemoryStatus] = frozenset({"ready", "empty", "failed"})


class SeedMemory(Frozen):
    """Seed the memory of a thread that was just created."""

    thread: ThreadKey


class MemorySeeded(Frozen):
    """Where the thread's memory stands after it; `cycle_id` when a cycle was made."""

    memory_status: Literal["ready", "empty", "failed"]
    cycle_id: str | None = None


def seed_memory(command: SeedMemory, *, ports: CyclePorts) -> MemorySeeded:
    """Choose plays, sample their summaries, run Chat v4 once, and write three slots at once.

    Progress shows in `memory_status`. A second delivery changes nothing. A thread whose soul or
    documents are missing ends as `failed`, and its chat goes on without a seed. Raises
    RetryLaterError where the trigger or the queue should try again.
    """
    key, threads = command.thread, ports.threads
    thread = threads.read_thread(key)
    if thread is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    if thread.memory_status in FINISHED and not _was_asked_again(key, thread, ports):
        return MemorySeeded.model_validate({"memory_status": thread.memory_status})
    try:
        director = read_director(key, ports)
        chosen = choose_plays(key.uid, director.soul.character_ids, plays=ports.plays)
    except (DocumentNotFoundError, DocumentMisshapenError):
        _end_without_cycle(key, "failed", ports)
        raise
    if not chosen and not _is_begun(key, ports):
        _end_without_cycle(key, "empty", ports)
        return MemorySeeded(memory_status="empty")
    held = _hold(key, ports)
    try:
        if held.cycle.output is None:
            chosen = write_missing_summaries(held, chosen, director=director)
            if not chosen:
                return _nothing_to_read(held, ports)
            extract(held, chosen, director)
        apply_extraction(held, director, origin="thread_start")
        seeded = MemorySeeded(memory_status="ready", cycle_id=held.cycle.cycle_id)
    except (ModelError, RetryLaterError, DocumentMisshapenError) as error:
        result = end_in_failure(held, error, memory_status="failed")
        seeded = MemorySeeded(memory_status="failed", cycle_id=result.cycle_id)
    ask_if_due(key, ports=ports)
    return seeded


def _end_without_cycle(key: ThreadKey, status: MemoryStatus, ports: CyclePorts) -> None:
    """Say how it ended; a seed that the sweep put on record leaves its place to a summary."""
    read = ports.memory.read_cycle(key, None)
    cycle = read.cycle
    if cycle is None or cycle.kind != "seed" or cycle.status not in {"queued", "waiting"}:
        ports.threads.set_memory_status(key, status)
        return
    change = states.withdraw(read)
    ports.memory.commit(key, read, change.model_copy(update={"memory_status": status}))
    ask_if_due(key, ports=ports)


def _is_begun(key: ThreadKey, ports: CyclePorts) -> bool:
    """Whether a worker left a seed in the middle; what it had to read may be gone since."""
    cycle = ports.memory.read_cycle(key, None).cycle
    return cycle is not None and cycle.kind == "seed" and cycle.status in {"claimed", "generated"}


def _was_asked_again(key: ThreadKey, thread: Thread, ports: CyclePorts) -> bool:
    """Whether a seed that failed is on record anew: its cause may have been mended."""
    cycle = ports.memory.read_cycle(key, None).cycle
    is_queued = cycle is not None and cycle.kind == "seed" and cycle.status == "queued"
    return thread.memory_status == "failed" and is_queued


def _hold(key: ThreadKey, ports: CyclePorts) -> HeldCycle:
    """Put the seed on record and take it; it goes before a summary that has not begun."""
    read = ports.memory.read_cycle(key, None)
    change = states.ask_for_seed(read, now=ports.clock.now())
    if change is not None:
        read = ports.memory.commit(key, read, change)
    held = hold(key, read, "seed", ports=ports, memory_status="seeding")
    if held is None:
        raise RetryLaterError("another cycle goes first")
    return held


def _nothing_to_read(held: HeldCycle, ports: CyclePorts) -> MemorySeeded:
    """Scenes were counted but none is stored: the thread starts with empty memory."""
    change = states.withdraw(held.read)
    held.commit(change.model_copy(update={"memory_status": "empty"}))
    ask_if_due(held.key, ports=ports)
    return MemorySeeded(memory_status="empty")
