"""All that is kept of one thread's memory, for the tool's commands."""

from __future__ import annotations

from dataclasses import dataclass

from shared.inspecting.inspect_thread import ThreadRecord
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.thread import Thread, ThreadKey
from tools.memory.connection import Connection, NotDoneError

ALL_CYCLES = 100_000


@dataclass(frozen=True)
class KeptThread:
    """A thread, its record and cycles (newest first), and what was withdrawn from its lorebook."""

    key: ThreadKey
    thread: Thread
    record: ThreadRecord
    cycles: tuple[Cycle, ...]
    withdrawn: tuple[LorebookEntry, ...]


def read_thread(of: Connection, key: ThreadKey, *, cycles: int = ALL_CYCLES) -> KeptThread:
    """Raises NotDoneError for a thread that does not exist."""
    thread = of.cycles.threads.read_thread(key)
    if thread is None:
        path = f"users/{key.uid}/threads/{key.soul_id}"
        raise NotDoneError(f"{path} does not exist in {of.where}: check uid, soul and project")
    return KeptThread(
        key=key,
        thread=thread,
        record=of.records.read_record(key, cycles=1),
        cycles=tuple(of.records.read_audits(key, cycles=cycles)),
        withdrawn=tuple(of.rollbacks.withdrawn_entries(key)),
    )


def read_applied(of: Connection, key: ThreadKey, generation: int) -> Cycle:
    """The audit of one generation. Raises NotDoneError where there is none."""
    cycle = of.cycles.memory.read_cycle(key, generation).cycle
    if cycle is None or cycle.status != "applied":
        what = "has no cycle" if cycle is None else f"is {cycle.status}, not applied"
        raise NotDoneError(f"generation {generation} {what}: `show` lists the cycles")
    return cycle
