"""The owner edited or deleted a message: counters stay exact, memory lets go of what it said."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from shared.errors import RetryLaterError, StaleClaimError
from shared.forgetting.change_ports import Audit, ChangePorts, ChangeRecord, Settlement, change_id
from shared.forgetting.old_words import OldWords
from shared.forgetting.resting import Changed
from shared.forgetting.rewriting import without_rejected
from shared.forgetting.withdrawing import Withdrawal, withdrawal_of
from shared.images import message_tokens
from shared.model.base import Frozen
from shared.model.thread import Counter, Message, ThreadKey
from shared.ports import CycleRead, Versioned
from shared.retention import has_expired, message_expiry

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
    if has_expired(message, ports.clock.now()):
        return ChangeRecorded(newly=False)
    name = change_id(message.message_id, "deleted", command.changed_at)
    less = Counter(
        pending_tokens=-(message.token_count or 0),
        pending_messages=-int(message.token_count is not None),
    )

    def settled(read: CycleRead, record: ChangeRecord) -> tuple[Settlement, int]:
        changed = Changed(
            change_id=name, record=record, message=message, words=OldWords(message.text)
        )
        return _settlement(command.thread, read, changed, less, ports)

    return _settle(command.thread, name, settled, ports)


def record_edit(command: RecordEdit, *, ports: ChangePorts) -> ChangeRecorded:
    """Count an edited message anew; where a cycle has consumed it, memory reads it again.

    The next cycle gets it as it is now; what rested on the old words is withdrawn at once.
    Raises as `record_deletion` does.
    """
    key, before = command.thread, command.before
    name = change_id(before.message_id, "edited", command.changed_at)

    def settled(read: CycleRead, record: ChangeRecord) -> tuple[Settlement, int]:
        now = ports.threads.read_message(key, before.message_id)
        words = OldWords(before.text, now.message.text if now else "")
        changed = Changed(
            change_id=name, record=record, message=before, words=words, again=now is not None
        )
        count, more = _recounted(now, ports)
        settlement, withdrawn = _settlement(key, read, changed, more, ports)
        if now is None or now.message.token_count == count:
            return settlement, withdrawn
        expires_at = message_expiry(ports.clock.now(), ports.settings)
        marked = replace(settlement, message=now, token_count=count, expires_at=expires_at)
        return marked, withdrawn

    return _settle(key, name, settled, ports)


def _settle(
    key: ThreadKey,
    name: str,
    settled: Callable[[CycleRead, ChangeRecord], tuple[Settlement, int]],
    ports: ChangePorts,
) -> ChangeRecorded:
    """Work out what the change means and write it, anew while something else moves meanwhile."""
    for _ in range(ATTEMPTS):
        record = ports.changes.read_change(key, name)
        if record.settled:
            return ChangeRecorded(newly=False)
        read = ports.memory.read_cycle(key, None)
        try:
            settlement, withdrawn = settled(read, record)
            ports.changes.settle(key, read, settlement)
        except StaleClaimError:
            continue
        return ChangeRecorded(newly=True, withdrawn=withdrawn)
    raise RetryLaterError("memory moves faster than a change can be recorded")


def _settlement(
    key: ThreadKey, read: CycleRead, changed: Changed, moved: Counter, ports: ChangePorts
) -> tuple[Settlement, int]:
    """What is to be written. `moved` goes to the counter, unless a cycle has consumed the message.

    The fence is written in any case, so that no cycle begins in between.
    """
    found = withdrawal_of(key, read, changed, moved, ports)
    revised = found.moves(read.state) or _may_have_read(changed.message, read)
    revision = read.state.revision + int(revised or (not found.counted and _is_under_way(read)))
    settlement = Settlement(
        change_id=changed.change_id,
        record=found.record,
        state=found.state.model_copy(update={"revision": revision}),
        counted=moved if found.counted else Counter(),
        audits=[*found.consumers, *_refused(read, found)],
        slots=found.slots,
        removed_entries=found.removed_entries,
        removed_withdrawn=found.removed_withdrawn,
        changed_entries=found.changed_entries,
        shards=found.index.shards,
        embeddings=found.index.embeddings,
    )
    return settlement, found.size


def _refused(read: CycleRead, found: Withdrawal) -> list[Audit]:
    """The next cycle, whose refused outputs may hold the message's words."""
    if read.cycle is None or not read.cycle.rejections or found.consumers:
        return []
    return [Audit(cycle=without_rejected(read.cycle), version=read.cycle_version)]


def _is_pending(message: Message, read: CycleRead) -> bool:
    cursor = read.state.cursor
    return cursor is None or cursor.is_before(message.ref)


def _may_have_read(message: Message, read: CycleRead) -> bool:
    """Whether the cycle under way has taken a snapshot that may hold the message."""
    consumed = read.cycle.consumed if read.cycle else None
    within = consumed is None or not consumed.last.is_before(message.ref)
    return _is_under_way(read) and _is_pending(message, read) and within


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
