"""How a thread's memory looks on a terminal. What users and models wrote is never markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from shared.history.slot_diffs import GenerationDiff, SlotDiff
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.slots import SLOT_NAMES
from shared.model.thread import Counter, MemoryState, MessageRef
from tools.memory.reading import KeptThread

_SIGNS = {"came": ("+ ", "green"), "went": ("- ", "red"), "stayed": ("  ", "dim")}


def facts(title: str, rows: Mapping[str, object]) -> Table:
    """Names and values, one a line."""
    table = _table(title, "what", "value")
    for name, value in rows.items():
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else value
        table.add_row(_text(name), _text(shown))
    return table


def thread_tables(kept: KeptThread, *, with_lorebook: bool) -> Iterator[RenderableType]:
    """Slots, fence, counter and cycles; the entries of the lorebook where they are wanted."""
    record = kept.record
    yield facts(
        f"{kept.key.uid} and {kept.key.soul_id}",
        {"memory_status": kept.thread.memory_status, **_fence(record.state)}
        | _pending(record.counter)
        | {"lorebook": f"{len(record.lorebook)} entries, {len(kept.withdrawn)} withdrawn"},
    )
    yield _slots(kept)
    for name in SLOT_NAMES:
        if name in record.slots:
            yield Rule(Text(name), align="left")
            yield _text(record.slots[name].content or "(empty)")
    yield _cycles(kept.cycles)
    if with_lorebook:
        yield _entries("lorebook", record.lorebook)
        yield _entries("withdrawn", kept.withdrawn)


def history(diffs: Iterable[GenerationDiff], *, whole: bool) -> Iterator[RenderableType]:
    """Each generation, the newest first; lines that stayed only where `whole` asks for them."""
    for diff in sorted(diffs, key=lambda one: one.generation, reverse=True):
        back = "" if diff.rolled_back_to is None else f" to generation {diff.rolled_back_to}"
        title = f"generation {diff.generation}, {diff.kind}{back}, {_time(diff.applied_at)}"
        yield Rule(Text(title), align="left")
        changed = [slot for slot in diff.slots if whole or slot.is_changed]
        if not changed:
            yield Text("no slot changed" if diff.slots else "the audit lacks its slots", "dim")
        for slot in changed:
            yield _slot_diff(slot, whole=whole)


def _slot_diff(slot: SlotDiff, *, whole: bool) -> RenderableType:
    counts = f"{len(slot.came)} came, {len(slot.went)} went, {len(slot.stayed)} stayed"
    lines = [Text(f"{slot.slot}: {counts}", "bold")]
    for line in slot.lines:
        if whole or line.fate != "stayed":
            sign, style = _SIGNS[line.fate]
            lines.append(Text(sign + line.text, style))
    return Group(*lines)


def _fence(state: MemoryState) -> dict[str, object]:
    lease = state.lease
    return {
        "generation": state.generation,
        "cursor": _place(state.cursor),
        "window starts": _place(state.window_start),
        "turns": state.turns,
        "lease": f"{lease.cycle_id} until {_time(lease.expires_at)}" if lease else "(none)",
    }


def _pending(counter: Counter) -> dict[str, object]:
    return {"pending": f"{counter.pending_messages} messages, {counter.pending_tokens} tokens"}


def _slots(kept: KeptThread) -> Table:
    table = _table("slots", "slot", "version", "cycle", "updated", "tokens")
    for name in SLOT_NAMES:
        slot = kept.record.slots.get(name)
        if slot is None:
            table.add_row(name, "(none)")
            continue
        cells = (slot.version, slot.cycle_id, _time(slot.updated_at), slot.token_count)
        table.add_row(name, *map(_text, cells))
    return table


def _cycles(cycles: Sequence[Cycle]) -> Table:
    table = _table(
        "cycles, the newest first", "cycle", "kind", "status", "time", "read", "entries", "more"
    )
    for cycle in sorted(cycles, key=lambda one: one.generation, reverse=True):
        consumed = cycle.consumed
        table.add_row(
            cycle.cycle_id,
            cycle.kind,
            cycle.status,
            _time(cycle.applied_at or cycle.moved_at or cycle.requested_at),
            f"{consumed.count} ({consumed.tokens} tokens)" if consumed else "",
            str(cycle.lorebook_entries or ""),
            _text(_more(cycle)),
        )
    return table


def _more(cycle: Cycle) -> str:
    """What is special about a cycle: where it went back to and for whom, or why it failed."""
    said = []
    if cycle.rolled_back_to is not None and cycle.rollback is not None:
        said.append(f"to {cycle.rolled_back_to}, asked by {cycle.rollback.requested_by}")
    if cycle.failure is not None:
        said.append(f"{cycle.failure.failure_class}: {cycle.failure.reason}")
    if cycle.set_aside:
        said.append(f"{len(cycle.set_aside)} set aside")
    return "; ".join(said)


def _entries(title: str, entries: Sequence[LorebookEntry]) -> Table:
    table = _table(f"{title}, {len(entries)} entries", "entry", "when", "title", "keywords")
    for entry in entries:
        cells = (entry.entry_id, entry.occurred_at, entry.title, ", ".join(entry.keywords))
        table.add_row(*map(_text, cells))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=Text(title), title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _text(value: object) -> Text:
    return Text(str(value))


def _place(ref: MessageRef | None) -> str:
    return f"{ref.message_id} of {_time(ref.created_at)}" if ref else "(the beginning)"


def _time(time: datetime | None) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%d %H:%MZ") if time else "(never)"
