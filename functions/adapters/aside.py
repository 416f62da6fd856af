"""Work in a thread of its own, beside what its caller does meanwhile."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


def begun(call: Callable[[], T]) -> "Future[T]":
    """Start `call` in the caller's context; the future has what it returns or raises.

    Nothing waits for it at exit.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=copy_context().run, args=(run,), name="aside", daemon=True).start()
    return future


def aside(call: Callable[[], T]) -> Callable[[], T]:
    """Start `call`; what comes back waits for its answer."""
    return begun(call).result
