"""The queue as it is in the world: it duplicates, drops, retries, gives up and knows names."""

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.model.thread import ThreadKey
from tests.battery.lost_calls import remote
from tests.fakes import FakeClock

MAX_BACKOFF = timedelta(seconds=600)


@dataclass
class Task:
    """One task: its payload, and when it is to be delivered (again)."""

    key: ThreadKey
    generation: int
    due_at: datetime
    attempts: int = 0


Worker = Callable[[Task], bool]
"""Works on a task; False asks the queue to try again."""


@dataclass
class TaskQueue:
    """The `Tasks` port in memory. `drop` and `duplicate` are shares of the tasks taken."""

    clock: FakeClock
    chance: random.Random
    drop: float = 0.0
    duplicate: float = 0.0
    max_attempts: int = 100
    tasks: list[Task] = field(default_factory=list)
    dropped: int = 0
    deleted: int = 0
    names_taken: int = 0
    _names: set[tuple[ThreadKey, int, int]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enqueue_cycle(
        self, key: ThreadKey, *, generation: int, request: int, delay_seconds: float
    ) -> None:
        due_at = self.clock.now() + timedelta(seconds=delay_seconds)
        remote("enqueue", lambda: self._take((key, generation, request), due_at))

    def _take(self, name: tuple[ThreadKey, int, int], due_at: datetime) -> None:
        with self._lock:
            if name in self._names:
                self.names_taken += 1
                return
            self._names.add(name)
            if self.chance.random() < self.drop:
                self.dropped += 1
                return
            copies = 2 if self.chance.random() < self.duplicate else 1
            self.tasks += [Task(name[0], name[1], due_at) for _ in range(copies)]

    def take_due(self, only: ThreadKey | None = None) -> list[Task]:
        """Take the tasks that are due off the queue, of one thread or of all."""
        now = self.clock.now()
        due: list[Task] = []
        later: list[Task] = []
        with self._lock:
            for one in self.tasks:
                (due if one.due_at <= now and only in {None, one.key} else later).append(one)
            self.tasks = later
        return due

    def lose(self, key: ThreadKey) -> None:
        """Every task of this thread vanishes; its names stay taken."""
        with self._lock:
            kept = [one for one in self.tasks if one.key != key]
            self.dropped += len(self.tasks) - len(kept)
            self.tasks = kept

    def settle(self, task: Task, *, done: bool) -> None:
        """Done, or tried again after a pause that doubles; after `max_attempts` it vanishes."""
        if done:
            return
        task.attempts += 1
        if task.attempts >= self.max_attempts:
            self.deleted += 1
            return
        pause = min(timedelta(seconds=2) * 2 ** min(task.attempts - 1, 9), MAX_BACKOFF)
        task.due_at = self.clock.now() + pause
        with self._lock:
            self.tasks.append(task)

    def deliver_due(self, worker: Worker, *, workers: int = 1) -> int:
        """Deliver what is due now, once; answers how many tasks that were."""
        due = self.take_due()
        for task, done in zip(due, _each(worker, due, workers), strict=True):
            self.settle(task, done=done)
        return len(due)

    def drain(self, worker: Worker, *, workers: int = 1, within: timedelta) -> None:
        """Deliver until nothing is left, letting time pass up to each next task."""
        end = self.clock.now() + within
        while self.tasks:
            upcoming = min(task.due_at for task in self.tasks)
            if upcoming > end:
                return
            missing = (upcoming - self.clock.now()).total_seconds()
            self.clock.pass_time(max(missing, 0))
            self.deliver_due(worker, workers=workers)


def _each(worker: Worker, tasks: Sequence[Task], workers: int) -> list[bool]:
    if workers == 1 or len(tasks) < 2:
        return [worker(task) for task in tasks]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(worker, tasks))
