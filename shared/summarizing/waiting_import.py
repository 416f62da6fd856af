"""An import that had to wait for another cycle gets its turn when that one has ended."""

from shared.errors import StaleClaimError
from shared.model.thread import ThreadKey
from shared.ports import Clock, CycleRead, HeldImport, Memory, Tasks, Threads
from shared.summarizing import states
from shared.summarizing.request_cycle import enqueue

SEED_TO_COME = frozenset({"pending", "seeding"})


def start_waiting_import(
    key: ThreadKey, *, memory: Memory, threads: Threads, tasks: Tasks, clock: Clock
) -> bool:
    """Put the import that waits, if one does, on record and on the queue.

    False when none waits, or it has to wait on. Safe to repeat.
    """
    held = memory.read_import(key)
    if held is None or held.live.waiting_since is None:
        return False
    thread = threads.read_thread(key)
    if thread is None or thread.memory_status in SEED_TO_COME:
        return False
    try:
        return record_import(key, held, memory=memory, tasks=tasks, clock=clock) is not None
    except StaleClaimError:
        return False


def record_import(
    key: ThreadKey, held: HeldImport, *, memory: Memory, tasks: Tasks, clock: Clock
) -> CycleRead | None:
    """The next cycle is this import, in one commit with `live/import`; then a task for it.

    None, and nothing written, while another cycle goes first. Raises StaleClaimError when
    something has moved since `held` was read.
    """
    read = memory.read_cycle(key, None)
    change = states.ask_for_import(read, request=held.live.request, now=clock.now())
    if change is None:
        return None
    live = held.live.model_copy(update={"waiting_since": None})
    started = held.model_copy(update={"live": live})
    read = memory.commit(key, read, change.model_copy(update={"live_import": started}))
    enqueue(key, change.cycle, tasks=tasks, delay_seconds=0)
    return read
