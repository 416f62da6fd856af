"""The ports of rollbacks and of recounts in memory, over the one database of `FakeStore`."""

from collections.abc import Sequence

from shared.counting.recount import CounterRead
from shared.errors import StaleClaimError
from shared.model.cycle import Cycle
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.ports import CycleRead, MemoryChange
from shared.rolling_back.rollback_ports import PlacedEntries
from tests.fakes import FakeStore


class FakeRollbacks:
    """Moves entries between the store's lorebook and `withdrawn`.

    `dies_after` is how many commits of moved entries the worker survives (None: all).
    """

    def __init__(self, store: FakeStore, *, entries_at_once: int = 200) -> None:
        self.store = store
        self.entries_at_once = entries_at_once
        self.dies_after: int | None = None
        self.withdrawn = store.withdrawn
        self.withdrawn_by: dict[str, str] = {}

    def past_cycles(self, key: ThreadKey, until: int) -> Sequence[Cycle]:
        without = {"before": None, "after": None, "output": None}
        return [
            one.model_copy(update=without) for one in self._cycles(key) if one.generation <= until
        ]

    def find_asked(self, key: ThreadKey, request_id: str) -> Cycle | None:
        asked = (one for one in self._cycles(key) if one.rollback is not None)
        mine = (one for one in asked if one.rollback and one.rollback.request_id == request_id)
        return next(mine, None)

    def placed_entries(self, key: ThreadKey) -> PlacedEntries:
        return PlacedEntries(
            active={n: one.cycle_id for n, one in self.store.entries.get(key, {}).items()},
            withdrawn={n: one.cycle_id for n, one in self.withdrawn.get(key, {}).items()},
        )

    def move_entries(
        self,
        key: ThreadKey,
        read: CycleRead,
        cycle: Cycle,
        *,
        leaving: Sequence[str],
        returning: Sequence[str],
    ) -> CycleRead:
        if self.dies_after is not None:
            if self.dies_after == 0:
                raise ConnectionError
            self.dies_after -= 1
        moved = self.store.commit(key, read, MemoryChange(cycle=cycle))
        active = self.store.entries.setdefault(key, {})
        withdrawn = self.withdrawn.setdefault(key, {})
        for name in leaving:
            withdrawn[name] = active.pop(name)
            self.withdrawn_by[name] = cycle.cycle_id
        for name in returning:
            active[name] = withdrawn.pop(name)
            del self.withdrawn_by[name]
        return read.model_copy(update={"cycle": moved.cycle, "cycle_version": moved.cycle_version})

    def counted_between(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter:
        counts = [
            one.token_count
            for one in self.store.messages.get(key, {}).values()
            if one.token_count is not None
            and (after is None or after.is_before(one.ref))
            and (until is None or not until.is_before(one.ref))
        ]
        return Counter(pending_tokens=sum(counts), pending_messages=len(counts))

    def _cycles(self, key: ThreadKey) -> list[Cycle]:
        stored = (read.cycle for (of, _), read in self.store.cycles.items() if of == key)
        return [one for one in stored if one is not None]


class FakeCounters(FakeRollbacks):
    """The counter with versions. `meanwhile` runs between each reading and its write, once."""

    def __init__(self, store: FakeStore) -> None:
        super().__init__(store)
        self.meanwhile: list[Counter] = []
        self.writes = 0

    def read(self, key: ThreadKey) -> CounterRead:
        counter = self.store.read_counter(key)
        return CounterRead(counter=counter, version=counter)

    def write(self, key: ThreadKey, read: CounterRead, counter: Counter) -> None:
        if self.meanwhile:
            self.store.counters[key] = self.meanwhile.pop(0)
        if self.store.read_counter(key) != read.version:
            raise StaleClaimError("a message was counted meanwhile")
        self.writes += 1
        self.store.counters[key] = counter
