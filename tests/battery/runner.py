"""Running scenarios: sizes, seeds, and what is printed of each."""

import multiprocessing
import random
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.battery.lost_calls import firestore_watched

T = TypeVar("T")
R = TypeVar("R")
WORKERS = 4
SHOWN = 5


@dataclass
class Tally:
    """What a scenario came to. A run fails when it has a problem; `size` and `note` are printed."""

    size: str
    note: str = ""
    runs: int = 0
    failures: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What another process gets of it: all but the lock."""
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def add(self, problems: Iterable[str], *, where: str = "") -> None:
        """One run and its problems; several problems are one failure."""
        found = "; ".join(one for one in problems if one)
        with self._lock:
            self.runs += 1
            if found:
                self.failures.append(f"{where}: {found}" if where else found)


@dataclass(frozen=True)
class Size:
    """How much of a scenario to run: `full` in the battery, a cut of it under pytest."""

    full: bool = True

    def of(self, full: int, cut: int) -> int:
        return full if self.full else cut


Scenario = Callable[[random.Random, Size], Tally]


@dataclass(frozen=True)
class Job:
    """A scenario to run. Its source of chance is its own, made from the seed and its name."""

    name: str
    scenario: Scenario
    seed: int
    size: Size = Size()


@dataclass(frozen=True)
class Done:
    """A scenario that was run, and how long it took."""

    name: str
    tally: Tally
    seconds: float


def run(job: Job) -> Done:
    """Run one scenario, its remote calls open to faults."""
    started = time.perf_counter()
    with firestore_watched():
        tally = _run(job.scenario, random.Random(f"{job.seed} {job.name}"), job.size)
    return Done(job.name, tally, time.perf_counter() - started)


def run_all(jobs: Sequence[Job], *, processes: int) -> Iterator[Done]:
    """Run all, some at a time in processes of their own; each is given as it ends."""
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=fresh) as pool:
        yield from (future.result() for future in as_completed(pool.submit(run, j) for j in jobs))


def report(done: Done) -> None:
    """One line, and the first failures below it."""
    tally = done.tally
    note = f"  ({tally.note})" if tally.note else ""
    counts = f"{tally.runs} runs, {len(tally.failures)} failed, {done.seconds:.1f} s"
    print(f"{done.name:<18} {tally.size:<46} {counts}{note}", flush=True)
    for failure in tally.failures[:SHOWN]:
        print(f"    {failure}", flush=True)
    if len(tally.failures) > SHOWN:
        print(f"    and {len(tally.failures) - SHOWN} more", flush=True)


def _run(scenario: Scenario, chance: random.Random, size: Size) -> Tally:
    """Run it; an error that it did not expect fails it, and the others go on."""
    try:
        return scenario(chance, size)
    except Exception as error:
        traceback.print_exc()
        return Tally("broke off", runs=1, failures=[f"{type(error).__name__}: {error}"])


def last_line(tallies: Sequence[Tally]) -> str:
    runs = sum(one.runs for one in tallies)
    failed = sum(len(one.failures) for one in tallies)
    return f"battery: {len(tallies)} scenarios, {runs} runs, {failed} failed"


def each(work: Callable[[T], R], items: Iterable[T], *, workers: int = WORKERS) -> list[R]:
    """Do the work for every item, some at a time; the first error of a thread is raised here."""
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, items))
