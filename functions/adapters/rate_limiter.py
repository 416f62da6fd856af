"""How often one user may call: a token bucket a user, in this instance's memory.

A limit across instances would cost a write a call. This one keeps a single client from busying
an instance, which is what it is for.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable

REMEMBERED = 10_000


class RateLimiter:
    """`per_minute` calls a user at a steady pace, and as many at once; 0 is no limit."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def admits(self, uid: str) -> bool:
        """Take one call from the user's bucket; False when it is empty."""
        if not self._per_minute:
            return True
        with self._lock:
            now = self._monotonic()
            left, since = self._buckets.pop(uid, (float(self._per_minute), now))
            left = min(self._per_minute, left + (now - since) * self._per_minute / 60)
            admitted = left >= 1
            self._buckets[uid] = (left - 1 if admitted else left, now)
            while len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
            return admitted
