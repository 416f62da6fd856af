"""Entries and recalls for the tests of recall."""

from typing import Any

from shared.recall.entry import RecallEntry
from shared.recall.index import RecallIndex
from shared.recall.query import Outcome, Query, Recall
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings


def entry(number: int, record: str, **fields: Any) -> RecallEntry:
    """The entry `number`, alone in its cycle unless `cycle_id` says otherwise."""
    given = {"entry_id": f"{number:06d}-000", "cycle_id": f"{number:06d}", "title": ""}
    return RecallEntry(**given | {"record": record} | fields)


def recalled(
    text: str, entries: list[RecallEntry], settings: RecallSettings | None = None, **query: Any
) -> Recall:
    """What `text` recalls of `entries`."""
    index = RecallIndex.from_entries(entries)
    return recall(Query(text=text, **query), index, settings=settings or RecallSettings())


def numbers(found: Recall) -> list[int]:
    """The chosen entries by their numbers."""
    return [int(one.split("-")[0]) for one in found.entry_ids]


def outcome(found: Recall, number: int) -> Outcome:
    """What became of the entry `number`."""
    return {one.entry_id: one.outcome for one in found.explained}[f"{number:06d}-000"]
