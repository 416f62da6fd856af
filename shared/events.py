"""What operators and analysts see: one JSON line each, with the contract's fields (PRD §10)."""

from typing import Literal

from shared.model.base import Frozen


class Event(Frozen):
    """A thing that happened to a thread's memory. Never carries a user's text."""

    thread_id: str
    soul_id: str


class SeedDmMemoryFromEpisode(Event):
    """Episodes were turned into memory; `patch_size` is how many characters of slots changed.

    `charge_id` is what the caller of an import said that it was paid with.
    """

    event: Literal["seed_dm_memory_from_episode"] = "seed_dm_memory_from_episode"
    episode_play_ids: tuple[str, ...]
    source: Literal["thread_start", "recent_memory_load"]
    patch_size: int
    charge_id: str | None = None


class RunDmMemoryUpdate(Event):
    """A summary cycle was applied."""

    event: Literal["run_dm_memory_update"] = "run_dm_memory_update"
    cycle_id: str
    slots_changed: tuple[str, ...]
    messages_consumed: int
    latency_ms: int


class NoUpdateDmMemorySlot(Event):
    """A summary cycle left this slot as it was."""

    event: Literal["no_update_dm_memory_slot"] = "no_update_dm_memory_slot"
    cycle_id: str
    slot: str


class ConflictDmMemoryUpdate(Event):
    """An output was refused or corrected; `reason` names the check, not the text."""

    event: Literal["conflict_dm_memory_update"] = "conflict_dm_memory_update"
    cycle_id: str
    reason: str


class RedactDmMemorySensitive(Event):
    """A secret was masked before it was kept or sent; `kind` says of what sort."""

    event: Literal["redact_dm_memory_sensitive"] = "redact_dm_memory_sensitive"
    slot: str
    kind: str
