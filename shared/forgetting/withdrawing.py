"""What leaves memory with a message that it has consumed: lines, entries, and their traces."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shared.forgetting.change_ports import Audit, ChangePorts, ChangeRecord
from shared.forgetting.resting import Changed, Resting, cut_line, is_of_episode
from shared.forgetting.rewriting import recounted_audit, rewritten_audit
from shared.history.standing import standing_since
from shared.model.cycle import Consumed
from shared.model.lorebook import LorebookEntry
from shared.model.slots import Slot, SlotName
from shared.model.thread import Counter, MemoryState, MessageRef, ThreadKey
from shared.ports import CycleRead
from shared.recall.fitting import fitted_index
from shared.recall.grown_index import GrownIndex
from shared.summarizing.sources import messages_between
from shared.summarizing.writing import slots_of

MAX_REREAD = 100
NOTHING = GrownIndex(shards={}, embeddings={}, fence={})


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What is to be written; `consumers` are the audits of the cycles that had read the message.

    `counted` says that it is on the counter: no cycle that stands has read it.
    """

    record: ChangeRecord
    state: MemoryState
    index: GrownIndex
    counted: bool
    size: int
    consumers: Sequence[Audit]
    slots: Mapping[SlotName, Slot] = field(default_factory=dict)
    removed_entries: Sequence[str] = ()
    removed_withdrawn: Sequence[str] = ()
    changed_entries: Sequence[LorebookEntry] = ()

    def moves(self, state: MemoryState) -> bool:
        """Whether anything changes of what a cycle or a prompt reads."""
        return self.size > 0 or self.state.reread != state.reread


def withdrawal_of(
    key: ThreadKey, read: CycleRead, changed: Changed, moved: Counter, ports: ChangePorts
) -> Withdrawal:
    """Find what rests on the message, rewrite the audits that hold it, and say what is left to do.

    `moved` is what the cycles that consumed it have consumed more (less) by now. Raises
    StaleClaimError.
    """
    audits = ports.changes.audits_since(key, changed.ref)
    if not _may_rest(audits, changed, read):
        return Withdrawal(
            record=changed.record,
            state=read.state,
            index=NOTHING,
            counted=True,
            size=0,
            consumers=(),
        )
    resting = _resting(key, changed, audits, ports)
    lines, slots = _slots(key, resting, ports)
    entries = _Entries(key, resting, ports)
    consumers, others = _rewritten(audits, resting, moved)
    record = _rewrite_others(key, others, resting, ports)
    sources = {one for line in lines for one in resting.sources.get(cut_line(line), ())}
    sources.update(one for entry in entries.leaving for one in resting.sources_of(entry))
    reread = _reread(key, read, changed, sources, ports)
    index = entries.index(read.state)
    return Withdrawal(
        record=record,
        state=read.state.model_copy(update={"reread": reread, **index.fence}),
        index=index,
        counted=_is_counted(audits, changed, read),
        size=len(lines) + len(entries.leaving),
        consumers=consumers,
        slots=slots,
        removed_entries=[one.entry_id for one in entries.leaving],
        removed_withdrawn=entries.undone,
        changed_entries=entries.changed,
    )


def _may_rest(audits: Sequence[Audit], changed: Changed, read: CycleRead) -> bool:
    """Whether memory may rest on it: a cycle has read it, or nobody knows any more what has."""
    if any(changed.was_read_by(one.cycle) for one in audits):
        return True
    reached = any(changed.was_reached_by(one.cycle) for one in audits)
    return not reached and not _is_pending(changed, read)


def _is_counted(audits: Sequence[Audit], changed: Changed, read: CycleRead) -> bool:
    """Whether the counter still has the message; a cycle that was rolled back does not count."""
    standing = standing_since([one.cycle for one in audits], read.state.generation)
    if any(changed.was_read_by(one) for one in standing.cycles):
        return False
    return _is_pending(changed, read) or any(changed.was_reached_by(one) for one in standing.cycles)


def _is_pending(changed: Changed, read: CycleRead) -> bool:
    cursor = read.state.cursor
    return cursor is None or cursor.is_before(changed.ref)


def _resting(
    key: ThreadKey, changed: Changed, audits: Sequence[Audit], ports: ChangePorts
) -> Resting:
    director = ports.souls.read_soul(key.soul_id)

    def said_beside(consumed: Consumed) -> str:
        messages = messages_between(key, consumed, ports.threads)
        others = [one.text for one in messages if one.message_id != changed.ref.message_id]
        return "\n".join(others)

    return Resting(
        changed=changed,
        audits=[one.cycle for one in audits],
        said_beside=said_beside,
        director=f"{director.bio.display_name}\n{director.persona.content}",
    )


def _slots(
    key: ThreadKey, resting: Resting, ports: ChangePorts
) -> tuple[list[str], dict[SlotName, Slot]]:
    """The lines that leave, and the slots without them."""
    stored = ports.memory.read_slots(key)
    before = slots_of(stored)
    after = resting.slots(before)
    changed = {name: after.of(name) for name in after.changed_from(before)}
    gone = [
        line.removeprefix("- ")
        for name in changed
        for line in set(before.of(name).split("\n")) - set(changed[name].split("\n"))
        if line.startswith("- ")
    ]
    return gone, {
        name: stored[name].model_copy(
            update={
                "content": content,
                "version": stored[name].version + 1,
                "updated_at": ports.clock.now(),
                "token_count": ports.tokens.count(content),
            }
        )
        for name, content in changed.items()
    }


class _Entries:
    """The lorebook without the entries that may stand no longer."""

    def __init__(self, key: ThreadKey, resting: Resting, ports: ChangePorts) -> None:
        self._key, self._ports = key, ports
        first = resting.consumers[0].cycle_id if resting.consumers else ""
        self._all = list(ports.lorebook.all_entries(key))
        later = [one for one in self._all if one.cycle_id >= first]
        cited = {
            source
            for one in later
            if resting.message_id in (found := resting.sources_of(one))
            for source in found
        }
        surviving = {one.message_id for one in ports.threads.read_messages(key, sorted(cited))}
        self.leaving = [one for one in later if resting.entry_rests(one, surviving)]
        gone = {one.entry_id for one in self.leaving}
        self.changed = [
            _without_source(one, resting.message_id)
            for one in later
            if one.entry_id not in gone and resting.message_id in one.source_ids
        ]
        # Undone entries are nobody's memory now: one that names the message goes as a whole.
        self.undone = [
            one.entry_id
            for one in ports.changes.withdrawn_entries(key)
            if one.cycle_id >= first
            and (resting.message_id in resting.sources_of(one) or resting.entry_rests(one, set()))
        ]
        self._kept = [one for one in self._all if one.entry_id not in gone]

    def index(self, state: MemoryState) -> GrownIndex:
        """The index without them, where any leave."""
        if not self.leaving:
            return NOTHING
        return fitted_index(
            self._key,
            state,
            self._kept,
            lorebook=self._ports.lorebook,
            embedder=self._ports.embedder,
        )


def _without_source(entry: LorebookEntry, message_id: str) -> LorebookEntry:
    left = tuple(one for one in entry.source_ids if one != message_id)
    return entry.model_copy(update={"source_ids": left})


def _rewritten(
    audits: Sequence[Audit], resting: Resting, moved: Counter
) -> tuple[list[Audit], list[Audit]]:
    """As they are to be: the consumers' audits, and the others that hold a line that rests."""
    read_by = {one.cycle_id for one in resting.consumers}
    consumers, others = [], []
    for one in audits:
        cycle = rewritten_audit(one.cycle, resting)
        if cycle.cycle_id in read_by:
            consumers.append(Audit(cycle=recounted_audit(cycle, moved), version=one.version))
        elif cycle != one.cycle:
            others.append(Audit(cycle=cycle, version=one.version))
    return consumers, others


def _rewrite_others(
    key: ThreadKey, others: Sequence[Audit], resting: Resting, ports: ChangePorts
) -> ChangeRecord:
    """Write all but the consumers' audits, which are written with the fence: they may be many.

    What was found goes on record first, for an attempt that finds these audits without it; the
    record as it is then comes back.
    """
    record = resting.changed.record
    if others and resting.lines != record.lines:
        found = record.model_copy(update={"lines": frozenset(resting.lines)})
        record = ports.changes.begin(key, resting.changed.change_id, found)
    ports.changes.rewrite_audits(key, others)
    return record


def _reread(
    key: ThreadKey,
    read: CycleRead,
    changed: Changed,
    sources: Iterable[str],
    ports: ChangePorts,
) -> tuple[MessageRef, ...]:
    """What the next cycle reads again: the message as it is now, and the lines' other sources."""
    wanted = sorted({one for one in sources if not is_of_episode(one)} - {changed.ref.message_id})
    found = [one.ref for one in ports.threads.read_messages(key, wanted)]
    known = [one for one in read.state.reread if one.message_id != changed.ref.message_id]
    again = changed.again and not _is_pending(changed, read)
    refs = {one.message_id: one for one in (*known, *found, *([changed.ref] if again else []))}
    ordered = sorted(refs.values(), key=lambda ref: (ref.created_at, ref.message_id))
    return tuple(ordered[-MAX_REREAD:])
