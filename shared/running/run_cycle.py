"""Do the work that is on record for a generation of a thread, whatever its kind."""

from shared.importing.import_memory import ImportMemory, import_memory
from shared.model.base import Frozen
from shared.model.cycle import CycleResult
from shared.model.thread import ThreadKey
from shared.rolling_back.rollback_memory import resume_rollback
from shared.seeding.seed_memory import MemorySeeded, SeedMemory, seed_memory
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts


class RunCycle(Frozen):
    """The task's payload."""

    thread: ThreadKey
    generation: int


def run_cycle(command: RunCycle, *, ports: CyclePorts) -> CycleResult | MemorySeeded:
    """Seed, import, summarize or roll back, as the record says. Raises what these raise."""
    found = ports.memory.read_cycle(command.thread, command.generation)
    kind = found.cycle.kind if found.cycle else None
    if kind == "rollback":
        return resume_rollback(command.thread, command.generation, ports=ports)
    if kind == "seed":
        return seed_memory(SeedMemory(thread=command.thread), ports=ports)
    if kind == "import":
        return import_memory(
            ImportMemory(thread=command.thread, generation=command.generation), ports=ports
        )
    return summarize_thread(
        SummarizeThread(thread=command.thread, generation=command.generation), ports=ports
    )
