"""How long a call takes, free of the first one's cost and of a busy machine's worst."""

from collections.abc import Callable
from time import perf_counter


def seconds(call: Callable[[], object], *, times: int = 7) -> float:
    """The shortest of several runs, after one that does not count."""
    call()
    runs = []
    for _ in range(times):
        start = perf_counter()
        call()
        runs.append(perf_counter() - start)
    return min(runs)
