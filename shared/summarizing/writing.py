"""From an output that was read to what a commit writes: slots and lorebook entries."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry, Relation, entry_id
from shared.model.slots import SLOT_NAMES, Slot, SlotName, Slots
from shared.ports import TokenCounter
from shared.summarizing.lorebook_document import LorebookOutput
from shared.summarizing.transcript import message_label


def slots_of(stored: Mapping[SlotName, Slot]) -> Slots:
    """The text of stored slots, absent ones empty."""
    return Slots(**{name: stored[name].content for name in SLOT_NAMES if name in stored})


def rewritten(
    stored: Mapping[SlotName, Slot],
    after: Slots,
    cycle: Cycle,
    *,
    names: tuple[SlotName, ...],
    tokens: TokenCounter,
    now: datetime,
) -> dict[SlotName, Slot]:
    """The slots of `names` as they are stored anew. An unchanged one keeps its version."""
    return {
        name: _rewritten(stored.get(name, Slot()), after.of(name), cycle, tokens, now)
        for name in names
    }


def _rewritten(old: Slot, content: str, cycle: Cycle, tokens: TokenCounter, now: datetime) -> Slot:
    if old.version and old.content == content:
        return old
    return Slot(
        content=content,
        version=old.version + 1,
        cycle_id=cycle.cycle_id,
        updated_at=now,
        token_count=tokens.count(content),
    )


def entries_of(
    events: Sequence[LorebookOutput], cycle: Cycle, *, turn: int, now: datetime
) -> list[LorebookEntry]:
    """The events of a cycle as lorebook entries; ids follow from cycle and index.

    A relation to a title that is no event of this cycle, or is the event itself, is left out.
    """
    ids = {event.title: entry_id(cycle.cycle_id, index) for index, event in enumerate(events)}
    return [
        LorebookEntry(
            title=event.title,
            keywords=tuple(event.keywords),
            occurred_at=event.when,
            record=event.record,
            cycle_id=cycle.cycle_id,
            index=index,
            created_at=now,
            kind=event.kind,
            importance=event.importance,
            people=tuple(event.people),
            relations=tuple(
                Relation(kind=relation.kind, entry_id=ids[relation.title])
                for relation in event.relations
                if relation.title in ids and relation.title != event.title
            ),
            secrecy=event.secrecy,
            turn=turn,
            source_ids=message_ids_of(event.sources, cycle),
        )
        for index, event in enumerate(events)
    ]


def message_ids_of(labels: Sequence[str], cycle: Cycle) -> tuple[str, ...]:
    """The messages that a call's ids stand for."""
    ids = cycle.consumed.message_ids if cycle.consumed else ()
    known = {message_label(number): one for number, one in enumerate(ids, start=1)}
    return tuple(known[label] for label in labels if label in known)


def memory_document(slots: Slots) -> str:
    """The four slots as one markdown document, the baseline a cycle edits; empties left out."""
    parts = [
        ("## Recent context", slots.recent_context),
        ("## Long-term memory(LTM)", slots.long_term_memory),
        ("## Soul persona\n### Relational", slots.soul_relational_persona),
        ("## User persona", slots.user_relational_persona),
    ]
    return "\n\n".join(f"{heading}\n{text}" for heading, text in parts if text)
