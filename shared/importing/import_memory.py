"""One import cycle: what was played since is merged into the memory that is there (PRD §5.4)."""

from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    ModelBlockedError,
    ModelError,
    RetryLaterError,
)
from shared.importing.unread_plays import choose_unread
from shared.model.base import Frozen
from shared.model.cycle import Cycle, CycleResult, cycle_id_of
from shared.model.memory_import import ImportAnswer, ImportFailure
from shared.model.slots import SlotName
from shared.model.thread import ThreadKey
from shared.ports import HeldImport, Memory
from shared.seeding.extracting import apply_extraction, extract
from shared.seeding.write_summaries import write_missing_summaries
from shared.summarizing import states
from shared.summarizing.asking import read_director
from shared.summarizing.failing import Failing, end_in_failure
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import CyclePorts, HeldCycle, hold


class ImportMemory(Frozen):
    """Run the import that makes `generation`, the task's payload."""

    thread: ThreadKey
    generation: int


def import_memory(command: ImportMemory, *, ports: CyclePorts) -> CycleResult:
    """Choose unread plays, run Chat v4 with the memory that is there, write three slots at once.

    The same import twice changes nothing, and an output that was kept is not paid for again.
    `live/import` says how it ended. Raises RetryLaterError where the queue should try again, and
    StaleClaimError where another worker has the cycle.
    """
    key = command.thread
    found = ports.memory.read_cycle(key, command.generation)
    held = hold(key, found, "import", ports=ports, live_import=_resumed(key, found.cycle, ports))
    if held is None:
        return CycleResult(cycle_id=cycle_id_of(command.generation), outcome="already_applied")
    try:
        result = _import(held)
    except (ModelError, RetryLaterError, DocumentNotFoundError, DocumentMisshapenError) as error:
        result = end_in_failure(held, error, live_import=_failed(held, error))
    ask_if_due(key, ports=ports)
    return result


def _import(held: HeldCycle) -> CycleResult:
    key, ports = held.key, held.ports
    director = read_director(key, ports)
    if held.cycle.output is None:
        chosen, audited = choose_unread(
            key, director.soul.character_ids, memory=ports.memory, plays=ports.plays
        )
        chosen = write_missing_summaries(held, chosen, director=director)
        if not chosen:
            return _find_nothing(held)
        extract(held, chosen, director, known=audited)
    changed: tuple[SlotName, ...] = apply_extraction(
        held, director, origin="recent_memory_load", live=_live(held)
    )
    return CycleResult(cycle_id=held.cycle.cycle_id, outcome="applied", slots_changed=changed)


def _find_nothing(held: HeldCycle) -> CycleResult:
    """Another cycle has read the plays meanwhile, or they are gone."""
    live = _live(held)
    if live is not None:
        ended = live.live.ended(ImportAnswer(request_id=live.live.request_id))
        live = live.model_copy(update={"live": ended})
    change = states.find_nothing(held.read)
    held.commit(change.model_copy(update={"live_import": live}))
    return CycleResult(cycle_id=held.cycle.cycle_id, outcome="nothing_to_do")


def _live(held: HeldCycle) -> HeldImport | None:
    return _live_of(held.key, held.cycle, held.ports.memory)


def _live_of(key: ThreadKey, cycle: Cycle | None, memory: Memory) -> HeldImport | None:
    """`live/import`, as long as it shows the request that this cycle is for."""
    request = cycle.import_request if cycle else None
    held = memory.read_import(key) if request else None
    return held if held and request and held.live.request_id == request.request_id else None


def _resumed(key: ThreadKey, cycle: Cycle | None, ports: CyclePorts) -> HeldImport | None:
    """An import that was given up and is tried again after all shows as running."""
    held = _live_of(key, cycle, ports.memory)
    if held is None or held.live.status == "running":
        return None
    running = held.live.model_copy(update={"status": "running", "kind": None})
    return held.model_copy(update={"live": running})


def _failed(held: HeldCycle, error: Failing) -> HeldImport | None:
    live = _live(held)
    if live is None:
        return None
    kind: ImportFailure = "blocked" if isinstance(error, ModelBlockedError) else "retry"
    return live.model_copy(update={"live": live.live.failed(kind)})
