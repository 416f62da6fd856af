"""What a rollback needs of the database beside what every cycle does."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from shared.model.base import Frozen
from shared.model.cycle import Cycle
from shared.model.thread import Counter, MessageRef, ThreadKey
from shared.ports import CycleRead


class PlacedEntries(Frozen):
    """Where the entries of a thread's lorebook are: their cycle's id, by their own."""

    active: Mapping[str, str]
    withdrawn: Mapping[str, str]


class Rollbacks(Protocol):
    """The past of a thread, and entries that leave its lorebook or come back to it."""

    @property
    def entries_at_once(self) -> int:
        """How many entries one commit may move."""
        ...

    def past_cycles(self, key: ThreadKey, until: int) -> Sequence[Cycle]:
        """The cycles up to generation `until`, without their texts: kind, status, bounds."""
        ...

    def find_asked(self, key: ThreadKey, request_id: str) -> Cycle | None:
        """The rollback that this request has asked for, whatever its state."""
        ...

    def placed_entries(self, key: ThreadKey) -> PlacedEntries: ...

    def move_entries(
        self,
        key: ThreadKey,
        read: CycleRead,
        cycle: Cycle,
        *,
        leaving: Sequence[str],
        returning: Sequence[str],
    ) -> CycleRead:
        """Write `cycle` and move these entries in one commit; those that are gone are passed over.

        A moved entry keeps its body; one that leaves says which cycle withdrew it. Raises
        StaleClaimError when the cycle, or one of the entries, has been written since.
        """
        ...

    def counted_between(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter:
        """The counted messages after the one and up to the other (None: from the first, to the
        last), in number and in tokens.
        """
        ...
