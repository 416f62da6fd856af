"""Ask for a summary cycle: a record of the work first, then a task that wakes a worker."""

from shared.errors import StaleClaimError
from shared.model.cycle import Cycle
from shared.model.thread import ThreadKey
from shared.ports import Clock, CycleRead, Memory, Tasks
from shared.settings import Settings
from shared.summarizing import states


def request_cycle(
    key: ThreadKey, *, memory: Memory, tasks: Tasks, clock: Clock, settings: Settings
) -> None:
    """Make sure that the thread's next cycle is on record and on the queue, once.

    Safe to repeat: a cycle that is on record is not recorded again, and its task has a name
    that the queue takes once. The record is the truth; a task that vanishes can be made anew.
    """
    cycle = _recorded(key, memory=memory, clock=clock).cycle
    if cycle is None or cycle.kind != "summary" or cycle.status not in {"queued", "waiting"}:
        return
    enqueue(key, cycle, tasks=tasks, delay_seconds=settings.settle_seconds)


def enqueue(key: ThreadKey, cycle: Cycle, *, tasks: Tasks, delay_seconds: float) -> None:
    """Put a recorded cycle on the queue; asked again or tried again, it gets a task of its own."""
    tasks.enqueue_cycle(
        key,
        generation=cycle.generation,
        request=cycle.requests + cycle.attempts,
        delay_seconds=delay_seconds,
    )


def _recorded(key: ThreadKey, *, memory: Memory, clock: Clock) -> CycleRead:
    read = memory.read_cycle(key, None)
    change = states.ask(read, kind="summary", now=clock.now())
    if change is None:
        return read
    try:
        return memory.commit(key, read, change)
    except StaleClaimError:
        return memory.read_cycle(key, None)
