"""The `Changes` port: edits and deletions of messages, each settled in one commit."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode, encode
from functions.adapters.firestore.conditional import create_or_update, put
from functions.adapters.firestore.gone import only_while_here
from functions.adapters.firestore.memory import set_shards
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import by_path
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import StaleClaimError, UserGoneError
from shared.forgetting.change_ports import Audit, ChangeRecord, Settlement
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.thread import MessageRef, ThreadKey
from shared.ports import CycleRead

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentSnapshot, WriteBatch

SETTLED, LINES = "settled_at", "lines"
AT_ONCE = 20  # an audit holds whole outputs, and a commit at most 10 MiB


class FirestoreChanges:
    """`changes/{change_id}` of a thread: one for each edit and deletion that was settled.

    Until then one may hold the lines of memory that are to go.
    """

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)
        self._rollbacks = FirestoreRollbacks(client)

    def read_change(self, key: ThreadKey, change_id: str) -> ChangeRecord:
        change, gone = self._paths.change(key, change_id), self._paths.deletion(key.uid)
        found = by_path(self._client.get_all([change, gone], **bounded(READ_SECONDS)))
        if found[gone.path].exists:
            raise UserGoneError
        body = found[change.path].to_dict() or {}
        return ChangeRecord(
            settled=SETTLED in body,
            lines=frozenset(body.get(LINES, ())),
            version=found[change.path].update_time,
        )

    def begin(self, key: ThreadKey, change_id: str, record: ChangeRecord) -> ChangeRecord:
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        batch, reference = self._client.batch(), self._paths.change(key, change_id)
        create_or_update(batch, reference, {LINES: sorted(record.lines)}, record.version)
        only_while_here(batch, self._paths, key.uid)
        try:
            written = batch.commit(**bounded(COMMIT_SECONDS))[0].update_time
        except (Conflict, FailedPrecondition, NotFound) as error:
            raise StaleClaimError("another attempt at this change goes on") from error
        return record.model_copy(update={"version": written})

    def audits_since(self, key: ThreadKey, ref: MessageRef) -> Sequence[Audit]:
        from google.cloud.firestore import FieldFilter

        cycles: Any = self._paths.cycles(key)
        reached = FieldFilter("consumed.last.created_at", ">=", ref.created_at)
        ids = cycles.where(filter=reached).select([])
        found = list(ids.stream(**bounded(READ_SECONDS)))
        if not found:
            return []
        ordered = cycles.order_by("__name__").start_at({"__name__": min(one.id for one in found)})
        return [_audit(one) for one in ordered.stream(**bounded(READ_SECONDS))]

    def withdrawn_entries(self, key: ThreadKey) -> Sequence[LorebookEntry]:
        return self._rollbacks.withdrawn_entries(key)

    def rewrite_audits(self, key: ThreadKey, audits: Sequence[Audit]) -> None:
        from google.api_core.exceptions import FailedPrecondition, NotFound

        for some in _chunks(audits):
            batch = self._client.batch()
            self._put_audits(batch, key, some)
            try:
                batch.commit(**bounded(COMMIT_SECONDS))
            except (FailedPrecondition, NotFound) as error:
                raise StaleClaimError("an audit has been written meanwhile") from error

    def settle(self, key: ThreadKey, read: CycleRead, settlement: Settlement) -> None:
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        batch = self._batch(key, read, settlement)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            if not self.read_change(key, settlement.change_id).settled:
                raise StaleClaimError("memory has moved meanwhile") from error

    def _batch(self, key: ThreadKey, read: CycleRead, change: Settlement) -> "WriteBatch":
        from google.cloud.firestore import (
            DELETE_FIELD,
            SERVER_TIMESTAMP,
            Increment,
            LastUpdateOption,
        )

        batch = self._client.batch()
        settled = {SETTLED: SERVER_TIMESTAMP}
        if change.record.lines:
            settled[LINES] = DELETE_FIELD
        # A second attempt's commit is refused by the first's.
        reference = self._paths.change(key, change.change_id)
        create_or_update(batch, reference, settled, change.record.version)
        put(batch, self._paths.state(key), change.state, read.state_version)
        if change.message is not None:
            mark: dict[str, Any] = {"token_count": change.token_count}
            if change.message.message.expires_at is None and change.expires_at is not None:
                mark["expires_at"] = change.expires_at
            batch.update(
                self._paths.messages(key).document(change.message.message.message_id),
                mark,
                option=LastUpdateOption(change.message.version),
            )
        if any(moved for _, moved in change.counted):
            more = {field: Increment(moved) for field, moved in change.counted}
            batch.set(self._paths.counter(key), more, merge=True)
        self._put_audits(batch, key, change.audits)
        for name, slot in change.slots.items():
            batch.set(self._paths.slot(key, name), encode(slot))
        entries = self._paths.lorebook(key)
        for entry_id in change.removed_entries:
            batch.delete(entries.document(entry_id))
        for entry_id in change.removed_withdrawn:
            batch.delete(self._paths.withdrawn_entries(key).document(entry_id))
        for entry in change.changed_entries:
            batch.set(entries.document(entry.entry_id), encode(entry))
        set_shards(batch, self._paths, key, change.shards, change.embeddings)
        only_while_here(batch, self._paths, key.uid)
        return batch

    def _put_audits(self, batch: "WriteBatch", key: ThreadKey, audits: Sequence[Audit]) -> None:
        for one in audits:
            reference = self._paths.cycle(key, one.cycle.cycle_id)
            put(batch, reference, one.cycle, one.version, "cycle_id")


def _audit(snapshot: "DocumentSnapshot[Any]") -> Audit:
    path = snapshot.reference.path
    cycle = decode(Cycle, path, snapshot.to_dict() or {}, cycle_id=snapshot.id)
    return Audit(cycle=cycle, version=snapshot.update_time)


def _chunks(audits: Sequence[Audit]) -> Iterator[Sequence[Audit]]:
    for start in range(0, len(audits), AT_ONCE):
        yield audits[start : start + AT_ONCE]
