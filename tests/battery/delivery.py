"""How a platform delivers events: at least once, late, in any order, sometimes never."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class Delivery(Generic[T]):
    """Takes events as they are made and gives them as they arrive, round by round.

    `copies` is how often at most an event comes, `late` the share that comes rounds later,
    `drop` the share that never does.
    """

    chance: random.Random
    copies: int = 1
    late: float = 0.0
    drop: float = 0.0
    dropped: int = 0
    _rounds: list[list[T]] = field(default_factory=lambda: [[]])

    def send(self, events: Iterable[T]) -> None:
        for event in events:
            if self.chance.random() < self.drop:
                self.dropped += 1
                continue
            for _ in range(self.chance.randint(1, self.copies)):
                is_late = self.chance.random() < self.late
                self._put(event, self.chance.randint(1, 3) if is_late else 0)

    def arriving(self) -> list[T]:
        """This round's events, shuffled; the next call is the next round."""
        arrived = self._rounds.pop(0) if self._rounds else []
        self.chance.shuffle(arrived)
        return arrived

    @property
    def is_empty(self) -> bool:
        return not any(self._rounds)

    def _put(self, event: T, later: int) -> None:
        while len(self._rounds) <= later:
            self._rounds.append([])
        self._rounds[later].append(event)
