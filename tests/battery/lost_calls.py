"""Remote calls that go wrong: the worker dies before or after one, or its answer is lost.

A `Plan` is laid on the thread that works. Firestore's client is patched where its requests leave
it, so a commit whose answer is lost is sent a second time, as the client itself does.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, TypeVar, get_args

from google.cloud.firestore_v1.services.firestore import FirestoreClient

from shared.errors import ModelUnavailableError

T = TypeVar("T")
Mode = Literal["before", "after", "lost"]
MODES: tuple[Mode, ...] = get_args(Mode)
RPCS = ("batch_get_documents", "commit", "run_query", "run_aggregation_query")

_laid = threading.local()


class CrashedError(BaseException):
    """The worker's process is gone. No handler of the code under test may catch it."""


@dataclass
class Plan:
    """What happens at the `at`-th remote call; None: nothing, calls are only noted in `seen`.

    `pause` runs in place of a fault, just before the call, with no plan laid.
    """

    at: int | None = None
    mode: Mode = "before"
    pause: Callable[[], None] | None = None
    phase: str = ""
    seen: list[str] = field(default_factory=list)
    is_dead: bool = False

    @property
    def happened(self) -> bool:
        return self.at is not None and len(self.seen) > self.at

    def around(self, name: str, call: Callable[[], T]) -> T:
        """Make the call, or suffer the fault. A dead worker makes none, even in a `finally`."""
        if self.is_dead:
            raise CrashedError
        index = len(self.seen)
        self.seen.append(f"{self.phase} {name}".strip())
        if index != self.at:
            return call()
        if self.pause is not None:
            with laid(None):
                self.pause()
            return call()
        if self.mode == "before":
            self._die()
        answer = call()
        if self.mode == "after":
            self._die()
        return _after_a_lost_answer(name, answer, call)

    def _die(self) -> NoReturn:
        self.is_dead = True
        raise CrashedError


def _after_a_lost_answer(name: str, answer: T, call: Callable[[], T]) -> T:
    """Firestore's and the queue's clients send again; a model's does not; a log has no answer."""
    if name == "model":
        raise ModelUnavailableError("the answer was lost")
    return answer if name == "emit" else call()


@contextmanager
def laid(plan: Plan | None) -> Iterator[None]:
    """Lay the plan on this thread's remote calls."""
    before = getattr(_laid, "plan", None)
    _laid.plan = plan
    try:
        yield
    finally:
        _laid.plan = before


def remote(name: str, call: Callable[[], T]) -> T:
    """Make a remote call under this thread's plan, if there is one."""
    plan: Plan | None = getattr(_laid, "plan", None)
    return call() if plan is None else plan.around(name, call)


@contextmanager
def firestore_watched() -> Iterator[None]:
    """Every request to Firestore inside passes through `remote`."""
    originals = {name: getattr(FirestoreClient, name) for name in RPCS}

    def watching(name: str) -> Any:
        def call(self: FirestoreClient, request: Any = None, **kwargs: Any) -> Any:
            return remote(name, lambda: originals[name](self, request, **kwargs))

        return call

    for name in RPCS:
        setattr(FirestoreClient, name, watching(name))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(FirestoreClient, name, original)
