"""The owner edited or deleted a message: counters stay exact, memory lets go of what it said."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from shared.errors import RetryLaterError, StaleClaimError
from shared.forgetting.change_ports import Audit, ChangePorts, Settlement, change_id
from shared.forgetting.old_words import OldWords
from shared.forgetting.resting import Changed
from shared.forgetting.rewriting import without_rejected
from shared.forgetting.withdrawing import Withdrawal, withdrawal_of
from shared.images import message_tokens
from shared.model.base import Frozen
from shared.model.thread import Counter, Message, ThreadKey
from shared.ports import CycleRead, Versioned

ATTEMPTS = 5


class RecordDeletion(Frozen):
    """This message was deleted. `changed_at`, when it was written last, names the change."""

    thread: ThreadKey
    message: Message
    changed_at: datetime


class RecordEdit(Frozen):
    """This message was edited; as it was before. `changed_at`, when that was, names the change."""

    thread: ThreadKey
    before: Message
    changed_at: datetime


class ChangeRecorded(Frozen):
    """`newly` is False on a second delivery; `withdrawn` counts lines and entries of memory."""

    newly: bool
    withdrawn: int = 0


def record_deletion(command: RecordDeletion, *, ports: ChangePorts) -> ChangeRecorded:
    """Take a deleted message off the counter, or out of memory where a cycle has consumed it.

    A message whose retention has ended was deleted by the platform, and memory keeps what it
    holds. A cycle that may have read it begins anew. Raises RetryLaterError when the fence moves
    too often. Source: PRD §4.7 by analogy; docs/adr/0029.
    """
    message = command.message
    if message.expires_at is not None and message.expires_at <= ports.clock.now():
        return ChangeRecorded(newly=False)
    counted = -(message.token_count or 0)
    moved = Counter(pending_tokens=counted, pending_messages=-(message.token_count is not None))

    def settled(read: CycleRead) -> tuple[Settlement, int]:
        if _is_pending(message, read):
            return _of_pending(name, message, read, counted=moved), 0
        words = OldWords(message.text)
        found = withdrawal_of(
            command.thread, read, Changed(ref=message.ref, words=words), moved, ports
        )
        return _of_memory(name, found, read), found.size

    name = change_id(message.message_id, command.changed_at)
    return _settle(command.thread, name, settled, ports)


def record_edit(command: RecordEdit, *, ports: ChangePorts) -> ChangeRecorded:
    """Count an edited message anew; where a cycle has consumed it, memory reads it again.

    The next cycle gets it as it is now; what rested on the old words is withdrawn at once.
    Raises as `record_deletion` does.
    """
    key, before = command.thread, command.before
    name = change_id(before.message_id, command.changed_at)

    def settled(read: CycleRead) -> tuple[Settlement, int]:
        now = ports.threads.read_message(key, before.message_id)
        count, more = _recounted(now, ports)
        if _is_pending(before, read):
            change = _of_pending(name, before, read, counted=more)
            return _marked(change, now, count), 0
        words = OldWords(before.text, now.message.text if now else "")
        changed = Changed(ref=before.ref, words=words)
        moved = Counter(pending_tokens=more.pending_tokens)
        found = withdrawal_of(key, read, changed, moved, ports, again=now is not None)
        return _marked(_of_memory(name, found, read), now, count), found.size

    return _settle(key, name, settled, ports)


def _settle(
    key: ThreadKey,
    name: str,
    settled: Callable[[CycleRead], tuple[Settlement, int]],
    ports: ChangePorts,
) -> ChangeRecorded:
    """Work out what the change means and write it, anew while something else moves meanwhile."""
    for _ in range(ATTEMPTS):
        read = ports.memory.read_cycle(key, None)
        if ports.changes.is_settled(key, name):
            return ChangeRecorded(newly=False)
        try:
            settlement, withdrawn = settled(read)
            ports.changes.settle(key, read, settlement)
        except StaleClaimError:
            continue
        return ChangeRecorded(newly=True, withdrawn=withdrawn)
    raise RetryLaterError("memory moves faster than a change can be recorded")


def _is_pending(message: Message, read: CycleRead) -> bool:
    cursor = read.state.cursor
    return cursor is None or cursor.is_before(message.ref)


def _of_pending(name: str, message: Message, read: CycleRead, *, counted: Counter) -> Settlement:
    """The fence is written in any case, so that a cycle cannot begin in between.

    What the next cycle has been refused for may hold the message's words.
    """
    revision = read.state.revision + _may_have_read(message, read)
    audits = ()
    if read.cycle is not None and read.cycle.rejections:
        audits = (Audit(cycle=without_rejected(read.cycle), version=read.cycle_version),)
    return Settlement(
        audits=audits,
        change_id=name,
        state=read.state.model_copy(update={"revision": revision}),
        counted=counted,
    )


def _of_memory(name: str, found: Withdrawal, read: CycleRead) -> Settlement:
    moved = found.size or found.index.state.reread != read.state.reread or _is_under_way(read)
    revision = read.state.revision + bool(moved)
    return Settlement(
        change_id=name,
        state=found.index.state.model_copy(update={"revision": revision}),
        audits=found.consumers,
        slots=found.slots,
        removed_entries=found.removed_entries,
        changed_entries=found.changed_entries,
        shards=found.index.shards,
        embeddings=found.index.embeddings,
    )


def _may_have_read(message: Message, read: CycleRead) -> bool:
    """Whether the cycle under way has taken a snapshot that may hold the message."""
    consumed = read.cycle.consumed if read.cycle else None
    return _is_under_way(read) and (consumed is None or not consumed.last.is_before(message.ref))


def _is_under_way(read: CycleRead) -> bool:
    kept = read.cycle is not None and read.cycle.output is not None
    return read.state.lease is not None or kept


def _recounted(now: Versioned | None, ports: ChangePorts) -> tuple[int, Counter]:
    """The message's tokens as it is now, and what the counter lacks of them."""
    if now is None:
        return 0, Counter()
    marked = now.message.token_count
    count = message_tokens(now.message, ports.tokens, ports.settings.image_tokens)
    more = Counter(pending_tokens=count - (marked or 0), pending_messages=int(marked is None))
    return count, more


def _marked(settlement: Settlement, now: Versioned | None, count: int) -> Settlement:
    """The settlement that writes the message's count too, where it has changed."""
    if now is None or now.message.token_count == count:
        return settlement
    return replace(settlement, message=now, token_count=count)
