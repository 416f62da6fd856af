"""Messages read once more, since the memory that rested on them was withdrawn."""

from collections.abc import Sequence

from shared.model.cycle import Cycle
from shared.model.thread import MemoryState, ThreadKey
from shared.ports import Lorebook
from shared.summarizing.lorebook_document import LorebookOutput
from shared.summarizing.writing import message_ids_of


def not_told_yet(
    key: ThreadKey,
    events: Sequence[LorebookOutput],
    cycle: Cycle,
    state: MemoryState,
    *,
    lorebook: Lorebook,
) -> list[LorebookOutput]:
    """The events without those of messages read again that the lorebook has kept an entry of."""
    again = {one.message_id for one in state.reread}
    if not again:
        return list(events)
    told = {source for entry in lorebook.all_entries(key) for source in entry.source_ids}
    return [
        event
        for event in events
        if not (sources := set(message_ids_of(event.sources, cycle)))
        or not sources <= again
        or not sources & told
    ]
