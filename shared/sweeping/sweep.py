"""Find what the platform has lost, and put it back to work; bounded, and resumed where it stopped.

The record of all work is in the database, so nothing here is repaired by hand: a message is
counted, a cycle is asked for or given a new task, and the usual paths do the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from shared.counting.record_message import RecordMessage, record_message
from shared.errors import UserGoneError
from shared.model.base import Frozen
from shared.model.cycle import Cycle
from shared.model.thread import ThreadKey
from shared.ports import Breaker, Clock, CycleRead, Memory, Tasks, Threads, TokenCounter
from shared.settings import Settings
from shared.summarizing import states
from shared.summarizing.request_cycle import enqueue, request_cycle
from shared.summarizing.waiting_import import start_waiting_import
from shared.sweeping.sweep_ports import (
    Bookmark,
    Irregularities,
    Uncounted,
    Unfinished,
    Unremembered,
    Unseeded,
)
from shared.sweeping.unremembered import has_waited, remembered_before

GRACE = timedelta(minutes=2)  # what is younger may still be on its way
STALLED = timedelta(minutes=15)  # longer than any queue's pause between two attempts
FIRST_LOOK = timedelta(days=7)
RETRY_AFTER = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=1)
GIVE_UP_AFTER = timedelta(days=1)

T = TypeVar("T")


class SweepReport(Frozen):
    """What one run found and set going; `failed` things are found again by the next."""

    messages_counted: int
    seeds_asked: int
    cycles_roused: int
    cycles_asked: int
    imports_asked: int
    probes: int
    failed: int
    errors: tuple[str, ...]
    finished: bool


@dataclass(frozen=True, slots=True)
class SweepPorts:
    """What a sweep works with."""

    irregularities: Irregularities
    memory: Memory
    threads: Threads
    tasks: Tasks
    tokens: TokenCounter
    breaker: Breaker
    clock: Clock
    settings: Settings


def sweep(*, ports: SweepPorts) -> SweepReport:
    """Run once over all that may be wrong, `sweep_limit` of each sort at most.

    A thing that fails is counted and left; the others go on. What there was no room for is where
    the next run begins. Cost: a few counts and queries, and then in proportion to what is wrong.
    """
    run = _Run(ports=ports, bookmark=ports.irregularities.read_bookmark())
    until = ports.clock.now() - GRACE
    counted = run.count_messages(until)
    seeds = run.ask_for_seeds(until)
    roused, probes = run.rouse_stalled()
    imports = run.start_imports()
    asked = run.ask_for_due() + run.ask_for_unremembered()
    ports.irregularities.write_bookmark(run.bookmark)
    return SweepReport(
        messages_counted=counted,
        seeds_asked=seeds,
        cycles_roused=roused,
        cycles_asked=asked,
        imports_asked=imports,
        probes=probes,
        failed=len(run.errors),
        errors=tuple(sorted(set(run.errors))),
        finished=run.finished,
    )


@dataclass(slots=True)
class _Run:
    """One sweep under way."""

    ports: SweepPorts
    bookmark: Bookmark
    errors: list[str] = field(default_factory=list)
    finished: bool = True
    _now: datetime = field(init=False)

    def __post_init__(self) -> None:
        self._now = self.ports.clock.now()

    def count_messages(self, until: datetime) -> int:
        since = self.bookmark.messages_until or until - FIRST_LOOK
        found = self.ports.irregularities.uncounted_messages(since, until, limit=self._limit)
        done, failed = self._each(found.items, self._count)
        times = [one.message.message.created_at for one in failed]
        self._advance("messages_until", found.until, until, times)
        return done

    def ask_for_seeds(self, until: datetime) -> int:
        since = self.bookmark.threads_until or until - FIRST_LOOK
        found = self.ports.irregularities.unseeded_threads(since, until, limit=self._limit)
        done, failed = self._each(found.items, self._ask_for_seed)
        self._advance("threads_until", found.until, until, [one.created_at for one in failed])
        return done

    def rouse_stalled(self) -> tuple[int, int]:
        """Cycles whose task has vanished; while the breaker is open, one of them as its probe."""
        found = self.ports.irregularities.stalled_cycles(
            self._now - STALLED, after=self.bookmark.cycles_after, limit=self._limit
        )
        self.bookmark = self.bookmark.model_copy(update={"cycles_after": found.after})
        self.finished = self.finished and found.after is None
        if not self.ports.breaker.is_open():
            return self._each(found.items, self._rouse)[0], 0
        for one in found.items:
            if self._each([one], self._rouse)[0]:
                self.ports.breaker.grant_probe()
                return 0, 1
        return 0, 0

    def start_imports(self) -> int:
        """Imports that waited for a cycle whose worker died before it let them go."""
        found = self.ports.irregularities.waiting_imports(
            self._now - GRACE, after=self.bookmark.imports_after, limit=self._limit
        )
        self.bookmark = self.bookmark.model_copy(update={"imports_after": found.after})
        self.finished = self.finished and found.after is None
        return self._each(found.items, self._start_import)[0]

    def ask_for_due(self) -> int:
        found = self.ports.irregularities.due_threads(
            self.ports.settings.cycle_trigger_tokens,
            after=self.bookmark.due_after,
            limit=self._limit,
        )
        self.bookmark = self.bookmark.model_copy(update={"due_after": found.after})
        self.finished = self.finished and found.after is None
        return self._each(found.items, self._ask_for_cycle)[0]

    def ask_for_unremembered(self) -> int:
        """Chats too slow to come due before their messages expire: remembered ahead of that."""
        before = remembered_before(self._now, self.ports.settings)
        if before is None:
            return 0
        found = self.ports.irregularities.unremembered_threads(
            before, after=self.bookmark.unremembered_after, limit=self._limit
        )
        self.bookmark = self.bookmark.model_copy(update={"unremembered_after": found.after})
        self.finished = self.finished and found.after is None
        return self._each(found.items, lambda one: self._ask_if_old(one, before))[0]

    def _ask_if_old(self, found: Unremembered, before: datetime) -> bool:
        ports = self.ports
        return has_waited(
            found,
            before,
            irregularities=ports.irregularities,
            memory=ports.memory,
            threads=ports.threads,
            now=self._now,
        ) and self._ask_for_cycle(found.thread)

    def _count(self, found: Uncounted) -> bool:
        ports = self.ports
        return record_message(
            RecordMessage(thread=found.thread, message=found.message),
            threads=ports.threads,
            memory=ports.memory,
            tasks=ports.tasks,
            tokens=ports.tokens,
            clock=ports.clock,
            settings=ports.settings,
        ).newly_counted

    def _ask_for_seed(self, found: Unseeded) -> bool:
        key = found.thread
        read = self.ports.memory.read_cycle(key, None)
        change = states.ask_for_seed(read, now=self._now)
        if change is None:
            return False
        self._enqueue(key, self.ports.memory.commit(key, read, change))
        return True

    def _rouse(self, found: Unfinished) -> bool:
        key, memory = found.thread, self.ports.memory
        read = memory.read_cycle(key, found.cycle.generation)
        if read.cycle is not None and not _may_ask_again(read.cycle, self._now):
            return False
        change = states.rouse(read, now=self._now) or states.ask(
            read, kind=found.cycle.kind, now=self._now
        )
        if change is None:
            return False
        self._enqueue(key, memory.commit(key, read, change))
        return True

    def _start_import(self, key: ThreadKey) -> bool:
        ports = self.ports
        return start_waiting_import(
            key, memory=ports.memory, threads=ports.threads, tasks=ports.tasks, clock=ports.clock
        )

    def _ask_for_cycle(self, key: ThreadKey) -> bool:
        ports = self.ports
        read = ports.memory.read_cycle(key, None)
        if read.cycle is not None and (
            (read.cycle.status, "ask") not in states.TRANSITIONS
            or not _may_ask_again(read.cycle, self._now)
            or ports.breaker.is_open()
        ):
            return False
        request_cycle(
            key, memory=ports.memory, tasks=ports.tasks, clock=ports.clock, settings=ports.settings
        )
        return True

    def _enqueue(self, key: ThreadKey, read: CycleRead) -> None:
        if read.cycle is not None:
            enqueue(key, read.cycle, tasks=self.ports.tasks, delay_seconds=0)

    def _each(self, items: Sequence[T], work: Callable[[T], bool]) -> tuple[int, list[T]]:
        """Do the work for each: how often it did something, and the items that failed.

        Whatever one item raises, it may neither stop nor starve the others; the report says how
        many failed and of what class.
        """
        done, failed = 0, []
        for item in items:
            try:
                done += work(item)
            except UserGoneError:
                continue  # the nightly sweep deletes what came late
            except Exception as error:
                failed.append(item)
                self.errors.append(type(error).__name__)
        return done, failed

    def _advance(
        self, mark: str, reached: datetime, wanted: datetime, failed: Sequence[datetime]
    ) -> None:
        """Move the mark, but not past what failed, as long as that is less than a day old."""
        young = [time for time in failed if time > self._now - GIVE_UP_AFTER]
        self.bookmark = self.bookmark.model_copy(update={mark: min([reached, *young])})
        self.finished = self.finished and reached >= wanted

    @property
    def _limit(self) -> int:
        return self.ports.settings.sweep_limit


def _may_ask_again(cycle: Cycle, now: datetime) -> bool:
    """A cycle that was given up is asked for again after ever longer pauses, a day at most."""
    if cycle.status not in {"rejected", "blocked"}:
        return True
    doubled: int = 2 ** min(cycle.requests - 1, 10)
    pause = min(RETRY_AFTER * doubled, LONGEST_PAUSE)
    return now - (cycle.moved_at or cycle.requested_at) >= pause
