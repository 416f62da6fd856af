"""What must hold of a thread whatever the platform did to it. Pure: each problem is a sentence."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from shared.model.cycle import Cycle
from shared.model.lorebook import entry_id
from shared.model.slots import SLOT_NAMES, Slots
from shared.ports import TokenCounter
from shared.summarizing.states import MAX_REJECTIONS
from tests.battery.import_invariants import imports_of
from tests.battery.models import Paid
from tests.battery.stored import StoredThread
from tools.accounting import StoredMessage, settle_accounts


@dataclass(frozen=True)
class Known:
    """What the battery knows of a thread from outside.

    `written` is each message's text by id. `may_lose` is how many answers may have been paid
    for and lost with the worker that asked; `takes_back`, that memory has let go of some.
    """

    written: Mapping[str, str]
    now: datetime
    paid: Paid
    tokens: TokenCounter
    may_lose: int = 0
    takes_back: bool = False


def problems_of(stored: StoredThread, known: Known) -> list[str]:
    """Everything that is wrong with the thread; empty when nothing is."""
    return [
        *_messages(stored, known),
        *_accounts(stored, known),
        *_generations(stored),
        *_cursor(stored),
        *_lorebook(stored, known),
        *_chain(stored, known),
        *_rollbacks(stored),
        *_set_aside(stored),
        *imports_of(stored),
        *_lease(stored, known.now),
        *_calls(stored, known),
    ]


def _messages(stored: StoredThread, known: Known) -> Iterator[str]:
    texts = {one.message_id: one.text for one in stored.messages}
    if texts != dict(known.written):
        yield "the stored messages are not those that were written"
    for one in stored.messages:
        if one.token_count not in {None, known.tokens.count(one.text)}:
            yield f"message {one.message_id} is marked with {one.token_count} tokens"


def _accounts(stored: StoredThread, known: Known) -> Iterator[str]:
    """Every message in exactly one cycle that stands or pending; the counter equal to the marks."""
    settled = settle_accounts(
        sent=len(known.written),
        messages=[StoredMessage(one.ref, one.token_count) for one in stored.messages],
        cycles=[one for one in stored.standing if one.kind == "summary"],
        cursor=stored.state.cursor,
        counter=stored.counter,
    )
    yield from settled.problems
    if settled.lost:
        yield f"{settled.lost} messages are lost"


def _generations(stored: StoredThread) -> Iterator[str]:
    generation = stored.state.generation
    applied = [one.generation for one in stored.applied]
    if applied != list(range(1, generation + 1)):
        yield f"generation {generation} does not follow from the applied cycles {applied}"
    others = [one for one in stored.cycles.values() if one.status != "applied"]
    for one in others:
        if one.generation != generation + 1:
            yield f"cycle {one.cycle_id} is {one.status} at generation {generation}"


def _cursor(stored: StoredThread) -> Iterator[str]:
    bounds = [one.consumed for one in stored.standing if one.kind == "summary" and one.consumed]
    last = bounds[-1] if bounds else None
    if stored.state.cursor != (last and last.last):
        yield "the cursor is not where the last cycle ended"
    if stored.state.window_start != (last and last.window_start):
        yield "the window does not start where the last cycle said"
    if stored.state.turns != sum(one.turns for one in bounds):
        yield "the turns are not those that the cycles consumed"
    for earlier, later in pairwise(bounds):
        if not earlier.last.is_before(later.first):
            yield "a later cycle consumed messages from before an earlier one's end"


def _lorebook(stored: StoredThread, known: Known) -> Iterator[str]:
    written = {one.cycle_id: _entries_of(one) for one in stored.applied}
    expected = {name for one in stored.standing for name in written[one.cycle_id]}
    undone = {name for names in written.values() for name in names} - expected
    lacking = known.takes_back
    if not _are(stored.entries, expected, lacking=lacking):
        yield f"the lorebook holds {sorted(stored.entries)}, the cycles wrote {sorted(expected)}"
    if not _are(stored.withdrawn, undone, lacking=lacking):
        yield f"withdrawn are {sorted(stored.withdrawn)}, undone cycles wrote {sorted(undone)}"
    for name, one in (stored.entries | stored.withdrawn).items():
        if name != one.entry_id:
            yield f"entry {name} says that it is {one.entry_id}"
    indexed = stored.state.lorebook_entries
    if indexed is not None and indexed != len(stored.entries):
        yield f"the lorebook's index says {indexed} entries, it holds {len(stored.entries)}"
    told = [(one.title, one.record) for one in stored.entries.values()]
    if len(set(told)) != len(told):
        yield "an event stands in the lorebook twice"


def _entries_of(cycle: Cycle) -> set[str]:
    return {entry_id(cycle.cycle_id, index) for index in range(cycle.lorebook_entries)}


def _are(found: Iterable[str], expected: set[str], *, lacking: bool) -> bool:
    """Whether these are the expected entries; `lacking`, whether they are some of them."""
    return set(found) <= expected if lacking else set(found) == expected


def _chain(stored: StoredThread, known: Known) -> Iterator[str]:
    """Slot by slot: what a cycle found is what the one before it left, up to what is stored."""
    left = Slots()
    for cycle in stored.applied:
        if cycle.before is None or cycle.after is None:
            yield f"cycle {cycle.cycle_id} has no before or no after"
            return
        yield from _differing(cycle.before, left, f"cycle {cycle.cycle_id} did not find")
        left = cycle.after
    now = Slots(**{name: slot.content for name, slot in stored.slots.items()})
    yield from _differing(now, left, "the database does not hold")
    for name, slot in stored.slots.items():
        writers = [c.cycle_id for c in stored.applied if _wrote(c, name)]
        if writers and slot.cycle_id != writers[-1] and not known.takes_back:
            yield f"{name} says it was written by cycle {slot.cycle_id}, not {writers[-1]}"


def _differing(found: Slots, left: Slots, what: str) -> Iterator[str]:
    for name in SLOT_NAMES:
        if found.of(name) != left.of(name):
            yield f"{what} the {name} that was left"


def _wrote(cycle: Cycle, name: str) -> bool:
    if cycle.before is None or cycle.after is None:
        return False
    return name in cycle.after.changed_from(cycle.before)


def _rollbacks(stored: StoredThread) -> Iterator[str]:
    """A rollback leaves what its target left; the target itself is in the audit."""
    for cycle in stored.applied:
        if cycle.kind != "rollback":
            continue
        target = cycle.rolled_back_to or 0
        goal = stored.cycles.get(f"{max(target, 1):06d}")
        if goal is None or cycle.after != (goal.after if target else goal.before):
            yield f"cycle {cycle.cycle_id} did not go back to generation {target}"


def _set_aside(stored: StoredThread) -> Iterator[str]:
    marked = {one.message_id: one.set_aside_by for one in stored.messages if one.set_aside_by}
    listed = {
        ref.message_id: cycle.cycle_id
        for cycle in stored.cycles.values()
        for ref in cycle.set_aside
    }
    if marked != listed:
        yield f"set aside are {marked}, the audit lists {listed}"


def _lease(stored: StoredThread, now: datetime) -> Iterator[str]:
    lease = stored.state.lease
    if lease is not None and lease.expires_at <= now:
        yield f"cycle {lease.cycle_id} holds a lease past its term"
    if lease is None and any(c.status == "claimed" for c in stored.cycles.values()):
        yield "a cycle is claimed without a lease"
    if lease is None and stored.thread.memory_status == "seeding":
        yield "the thread says that it is being seeded, and nobody is at it"


def _calls(stored: StoredThread, known: Known) -> Iterator[str]:
    """Every answer that was paid for stands in the audit, but for what a dead worker took along."""
    cycles = list(stored.cycles.values())
    if any(len(one.rejections) >= MAX_REJECTIONS for one in cycles):
        return
    kept = outputs_kept(cycles)
    paid = known.paid
    if not kept <= paid.answered <= kept + known.may_lose:
        yield f"the model answered {paid.answered} times, the audit holds {kept} outputs"
    attempts = sum(one.attempts + len(one.episode_summaries) for one in cycles)
    if paid.calls > attempts:
        yield f"{paid.calls} model calls in {attempts} attempts"


def outputs_kept(cycles: Iterable[Cycle]) -> int:
    """How many answers of the model the audit holds."""
    return sum(map(_outputs, cycles))


def _outputs(cycle: Cycle) -> int:
    rejected = sum(one.output is not None for one in cycle.rejections)
    return rejected + (cycle.output is not None) + len(cycle.episode_summaries)
