"""How long a call takes in processor time: a busy machine must not decide a figure."""

from collections.abc import Callable
from time import process_time


def seconds(call: Callable[[], object], *, times: int = 7) -> float:
    """The shortest of several runs, after one that does not count."""
    call()
    runs = []
    for _ in range(times):
        start = process_time()
        call()
        runs.append(process_time() - start)
    return min(runs)
