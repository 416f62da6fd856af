"""What every kind of cycle does around its own work: claim, hold, commit."""

from dataclasses import dataclass
from datetime import timedelta

from shared.errors import RetryLaterError, RevisedError, StaleClaimError
from shared.local_time import date, zone
from shared.model.cycle import Cycle, CycleKind
from shared.model.thread import MemoryStatus, ThreadKey
from shared.ports import (
    Breaker,
    Budget,
    BudgetCall,
    Chance,
    Clock,
    CycleRead,
    Embedder,
    EventLog,
    HeldImport,
    Lorebook,
    Memory,
    MemoryChange,
    Model,
    Plays,
    Prompts,
    Souls,
    Tasks,
    Threads,
    TokenCounter,
)
from shared.retention import with_expiry
from shared.rolling_back.rollback_ports import Rollbacks
from shared.settings import Settings
from shared.summarizing import states
from shared.summarizing.checking import Reading
from shared.summarizing.snapshot import Snapshot

REWRITES = 5  # how often a commit is written again, while messages are edited or deleted


@dataclass(frozen=True, slots=True)
class CyclePorts:
    """The ports that work on a cycle needs, whatever its kind."""

    memory: Memory
    threads: Threads
    lorebook: Lorebook
    rollbacks: Rollbacks
    embedder: Embedder | None
    souls: Souls
    plays: Plays
    model: Model
    prompts: Prompts
    tokens: TokenCounter
    tasks: Tasks
    events: EventLog
    clock: Clock
    chance: Chance
    breaker: Breaker
    budget: Budget
    settings: Settings


@dataclass(slots=True)
class HeldCycle:
    """A cycle that this worker has claimed, as last read or written."""

    key: ThreadKey
    read: CycleRead
    ports: CyclePorts
    snapshot: Snapshot | None = None
    calls: int = 0
    reading: Reading | None = None

    @property
    def cycle(self) -> Cycle:
        """The record, which is always there once it is claimed."""
        if self.read.cycle is None:
            raise StaleClaimError("the cycle's record is gone")
        return self.read.cycle

    def commit(self, change: MemoryChange) -> None:
        """Write, if nobody else has. Raises StaleClaimError.

        A message's edit or deletion moves the fence too, under a lease that is still ours. Where
        it concerns what this cycle has read, RevisedError; else the same is written again.
        """
        now = self.ports.clock.now()
        moved = change.cycle.model_copy(update={"moved_at": now})
        moved = with_expiry(moved, now, self.ports.settings)
        change = change.model_copy(update={"cycle": moved})
        for _ in range(REWRITES):
            try:
                self.read = self.ports.memory.commit(self.key, self.read, change)
                return
            except StaleClaimError:
                self._adopt_fence()
        raise RevisedError("the fence moves faster than this cycle can write")

    def _adopt_fence(self) -> None:
        """Take the fence as it stands now. Raises StaleClaimError where the lease is not ours."""
        known = self.read
        now = self.ports.memory.read_cycle(self.key, self.cycle.generation)
        if now.state.lease is None or now.state.lease != known.state.lease:
            raise StaleClaimError(f"cycle {self.cycle.cycle_id} has moved on")
        self.read = now
        if now.state != known.state or now.cycle != known.cycle:
            raise RevisedError("what this cycle has read has been edited or deleted")

    def next_call(self) -> BudgetCall:
        """The next model call of this attempt, as the budget knows it."""
        self.calls += 1
        where = zone(self.ports.settings.budget_time_zone)
        return BudgetCall(
            uid=self.key.uid,
            day=date(self.ports.clock.now(), where),
            call_id=f"{self.key.soul_id}-{self.cycle.cycle_id}-{self.cycle.attempts}-{self.calls}",
        )

    def check_lease(self) -> None:
        """Raises StaleClaimError when this worker has outlived its lease."""
        states.check_lease(self.read, now=self.ports.clock.now())


def hold(
    key: ThreadKey,
    read: CycleRead,
    kind: CycleKind,
    *,
    ports: CyclePorts,
    memory_status: MemoryStatus | None = None,
    live_import: HeldImport | None = None,
) -> HeldCycle | None:
    """Claim the cycle; None when it is finished or not of this kind.

    `memory_status` and `live_import` are what the thread shows from then on.

    Raises RetryLaterError while another worker's lease lives, StaleClaimError when one was
    quicker.
    """
    change = states.claim(
        read,
        kind=kind,
        token=ports.chance.token(),
        now=ports.clock.now(),
        lease=timedelta(seconds=ports.settings.lease_seconds),
    )
    if change is None:
        return None
    held = HeldCycle(key=key, read=read, ports=ports)
    shown = {"memory_status": memory_status, "live_import": live_import}
    try:
        held.commit(change.model_copy(update=shown))
    except StaleClaimError:
        _check_that_another_has_it(key, read, ports)
        raise
    return held


def _check_that_another_has_it(key: ThreadKey, read: CycleRead, ports: CyclePorts) -> None:
    """Raises RetryLaterError where no worker was quicker, but a message's edit or deletion."""
    now = ports.memory.read_cycle(key, read.cycle.generation if read.cycle else None)
    if now.cycle == read.cycle and now.state.lease == read.state.lease:
        raise RetryLaterError("memory was revised just as this cycle began")
