"""The lorebook: what happened, one entry an event, appended by each summary cycle."""

from pydantic import AwareDatetime

from shared.model.base import Stored


class LorebookEntry(Stored):
    """One event as stored. Its id is made of its cycle and index, so a replay cannot double it."""

    title: str
    keywords: tuple[str, ...]
    occurred_at: str
    record: str
    cycle_id: str
    index: int
    created_at: AwareDatetime

    @property
    def entry_id(self) -> str:
        return entry_id(self.cycle_id, self.index)


def entry_id(cycle_id: str, index: int) -> str:
    """The document id of the `index`-th entry of a cycle."""
    return f"{cycle_id}-{index:03d}"
