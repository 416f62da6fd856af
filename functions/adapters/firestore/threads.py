"""The `Threads` port: messages, counting, and the thread's own document."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import DocumentMisshapenError, DocumentNotFoundError, RetryLaterError
from shared.model.thread import Counter, MemoryStatus, Message, MessageRef, Thread, ThreadKey
from shared.ports import Counted, Versioned

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentSnapshot, Query

COUNT_ATTEMPTS = 3


class FirestoreThreads:
    """Threads and messages under `users/{uid}/threads/{soul_id}`."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read_thread(self, key: ThreadKey) -> Thread | None:
        reference = self._paths.thread(key)
        found = reference.get(**bounded(READ_SECONDS))
        return decode(Thread, reference.path, found.to_dict() or {}) if found.exists else None

    def read_message(self, key: ThreadKey, message_id: str) -> Versioned | None:
        found = self._paths.messages(key).document(message_id).get(**bounded(READ_SECONDS))
        message = _message(found) if found.exists else None
        return Versioned(message=message, version=found.update_time) if message else None

    def read_messages(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Message]:
        if not message_ids:
            return []
        references = [self._paths.messages(key).document(one) for one in message_ids]
        found = self._client.get_all(references, **bounded(READ_SECONDS))
        messages = [message for one in found if one.exists and (message := _message(one))]
        return sorted(messages, key=lambda one: (one.created_at, one.message_id))

    def set_memory_status(self, key: ThreadKey, status: MemoryStatus) -> None:
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        reference, batch = self._paths.thread(key), self._client.batch()
        batch.update(reference, {"memory_status": status})
        only_while_here(batch, self._paths, key.uid)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            check_still_here(self._paths, key.uid)
            raise DocumentNotFoundError(reference.path) from error

    def read_counter(self, key: ThreadKey) -> Counter:
        reference = self._paths.counter(key)
        found = reference.get(**bounded(READ_SECONDS))
        return decode(Counter, reference.path, found.to_dict() or {})

    def count_tokens(
        self,
        key: ThreadKey,
        message: Versioned,
        tokens: int,
        *,
        expires_at: datetime | None = None,
    ) -> Counted:
        """Mark the message and move the counter in one commit: two writes and no read.

        The mark's precondition refuses a second delivery, and also our own commit when its
        answer was lost and it is sent again; so the mark is read before either is believed.

        A tombstone would cost a read for every message. A deletion takes the counter along, so
        only a count that finds it at nothing can have come after one: that one looks.
        """
        counted = self._count(key, message, tokens, expires_at)
        if counted.counter.pending_messages <= 1:
            check_still_here(self._paths, key.uid)
        return counted

    def _count(
        self, key: ThreadKey, message: Versioned, tokens: int, expires_at: datetime | None
    ) -> Counted:
        from google.api_core.exceptions import FailedPrecondition, NotFound

        for _ in range(COUNT_ATTEMPTS):
            try:
                return Counted(newly=True, counter=self._mark(key, message, tokens, expires_at))
            except (FailedPrecondition, NotFound):
                now = self._paths.messages(key).document(message.message.message_id)
                found = now.get(**bounded(READ_SECONDS))
                is_marked = "token_count" in (found.to_dict() or {})
                if is_marked or not found.exists:
                    return Counted(newly=False, counter=self.read_counter(key))
                message = message.model_copy(update={"version": found.update_time})
        raise RetryLaterError("a message changes faster than it can be counted")

    def _mark(
        self, key: ThreadKey, message: Versioned, tokens: int, expires_at: datetime | None = None
    ) -> Counter:
        from google.cloud.firestore import Increment, LastUpdateOption, Minimum

        mark: dict[str, Any] = {"token_count": tokens}
        if expires_at is not None:
            mark["expires_at"] = expires_at
        batch = self._client.batch()
        batch.update(
            self._paths.messages(key).document(message.message.message_id),
            mark,
            option=LastUpdateOption(message.version),
        )
        batch.set(
            self._paths.counter(key),
            {
                "pending_messages": Increment(1),
                "pending_since": Minimum(int(message.message.created_at.timestamp())),
                "pending_tokens": Increment(tokens),
            },
            merge=True,
        )
        messages, _, total = batch.commit(**bounded(COMMIT_SECONDS))[1].transform_results
        return Counter(pending_tokens=total.integer_value, pending_messages=messages.integer_value)

    def messages_from(
        self, key: ThreadKey, start: MessageRef | None, *, until: datetime, limit: int
    ) -> Sequence[Versioned]:
        query = self._ordered(key, "ASCENDING").where(
            filter=_at_or_before(until),
        )
        if start is not None:
            query = query.start_at(_position(start))
        found = query.limit(limit).stream(**bounded(READ_SECONDS))
        return [
            Versioned(message=message, version=snapshot.update_time)
            for snapshot in found
            if (message := _message(snapshot))
        ]

    def latest_messages(
        self, key: ThreadKey, start: MessageRef | None, *, limit: int
    ) -> Sequence[Message]:
        query = self._ordered(key, "DESCENDING")
        if start is not None:
            query = query.end_at(_position(start))
        found = query.limit(limit).stream(**bounded(READ_SECONDS))
        return [message for snapshot in found if (message := _message(snapshot))][::-1]

    def count_messages_from(self, key: ThreadKey, start: MessageRef | None) -> int:
        query = self._ordered(key, "ASCENDING")
        if start is not None:
            query = query.start_at(_position(start))
        counted: Any = query.count()
        return int(counted.get(**bounded(READ_SECONDS))[0][0].value)

    def _ordered(self, key: ThreadKey, direction: str) -> "Query":
        messages = self._paths.messages(key)
        return messages.order_by("created_at", direction=direction).order_by(
            "__name__", direction=direction
        )


def _at_or_before(until: datetime) -> object:
    from google.cloud.firestore import FieldFilter

    return FieldFilter("created_at", "<=", until)


def _position(ref: MessageRef) -> dict[str, object]:
    return {"created_at": ref.created_at, "__name__": ref.message_id}


def _message(snapshot: "DocumentSnapshot[Any]") -> Message | None:
    """A stored message; None for one that does not fit, which no client can have written."""
    try:
        path = snapshot.reference.path
        return decode(Message, path, snapshot.to_dict() or {}, message_id=snapshot.id)
    except DocumentMisshapenError:
        return None
