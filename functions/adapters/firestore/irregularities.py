"""The `Irregularities` port: what went wrong, found by counts and indexes across all threads.

A field that is absent cannot be asked for. So a span of time is counted twice, once all and once
by an order that leaves out documents without the field; only where the two differ is it halved,
and only a span that is small and differs is read.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import DocumentMisshapenError
from shared.model.cycle import Cycle
from shared.model.thread import Message, ThreadKey
from shared.ports import Versioned
from shared.sweeping.sweep_ports import (
    Bookmark,
    Checked,
    Page,
    Position,
    Uncounted,
    Unfinished,
    Unremembered,
    Unseeded,
)

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentSnapshot, Query

READ_AT_ONCE = 100
SHORTEST = timedelta(milliseconds=1)
STALLED = ["queued", "claimed", "generated", "waiting", "blocked"]


class FirestoreIrregularities:
    """Looks across `messages`, `threads`, `cycles` and `state` of everybody."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._bookmark = client.document("operations", "sweep")

    def uncounted_messages(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Uncounted]:
        found, reached = self._lacking("messages", "token_count", since, until, limit)
        items = [one for snapshot in found if (one := _uncounted(snapshot))]
        return Checked(items=items, until=reached)

    def unseeded_threads(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Unseeded]:
        found, reached = self._lacking("threads", "memory_status", since, until, limit)
        items = [Unseeded(thread=_key(one), created_at=one.get("created_at")) for one in found]
        return Checked(items=items, until=reached)

    def stalled_cycles(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unfinished]:
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection_group("cycles")
        query = query.where(filter=FieldFilter("status", "in", STALLED))
        query = query.where(filter=FieldFilter("moved_at", "<=", before))
        found = self._page(query, "moved_at", after, limit)
        items = [one for snapshot in found if (one := _unfinished(snapshot))]
        return Page(items=items, after=_end(found, "moved_at", limit))

    def due_threads(self, trigger: int, *, after: Position | None, limit: int) -> Page[ThreadKey]:
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection_group("state")
        query = query.where(filter=FieldFilter("pending_tokens", ">=", trigger))
        found = self._page(query, "pending_tokens", after, limit)
        items = [_key(snapshot) for snapshot in found]
        return Page(items=items, after=_end(found, "pending_tokens", limit))

    def unremembered_threads(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unremembered]:
        from google.cloud.firestore import FieldFilter

        since, messages = "pending_since", "pending_messages"
        query: Any = self._client.collection_group("state")
        query = query.where(filter=FieldFilter(since, "<=", int(before.timestamp())))
        query = query.where(filter=FieldFilter(messages, ">", 0))
        found = self._page(query, since, after, limit, second=messages)
        items = [Unremembered(thread=_key(one), version=one.update_time) for one in found]
        return Page(items=items, after=_end(found, since, limit, second=messages))

    def correct(self, found: Unremembered, pending_since: datetime | None) -> None:
        from google.api_core.exceptions import FailedPrecondition
        from google.cloud.firestore import DELETE_FIELD, LastUpdateOption

        since = DELETE_FIELD if pending_since is None else int(pending_since.timestamp())
        option = LastUpdateOption(found.version)
        counter = Paths(self._client).counter(found.thread)
        with suppress(FailedPrecondition):
            counter.update({"pending_since": since}, option=option, **bounded(COMMIT_SECONDS))

    def waiting_imports(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[ThreadKey]:
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection_group("live")
        query = query.where(filter=FieldFilter("waiting_since", "<=", before))
        found = self._page(query, "waiting_since", after, limit)
        items = [_key(snapshot) for snapshot in found]
        return Page(items=items, after=_end(found, "waiting_since", limit))

    def read_bookmark(self) -> Bookmark:
        found = self._bookmark.get(**bounded(READ_SECONDS))
        return decode(Bookmark, found.reference.path, found.to_dict() or {})

    def write_bookmark(self, bookmark: Bookmark) -> None:
        self._bookmark.set(bookmark.model_dump(), **bounded(COMMIT_SECONDS))

    def _page(
        self, query: Any, field: str, after: Position | None, limit: int, *, second: str = ""
    ) -> "list[DocumentSnapshot[Any]]":
        query = query.order_by(field)
        query = query.order_by(second) if second else query
        query = query.order_by("__name__")
        if after is not None:
            place = {field: after.value} | ({second: after.second} if second else {})
            query = query.start_after({**place, "__name__": self._client.document(after.path)})
        return list(query.limit(limit).stream(**bounded(READ_SECONDS)))

    def _lacking(
        self, group: str, field: str, since: datetime, until: datetime, limit: int
    ) -> "tuple[list[DocumentSnapshot[Any]], datetime]":
        """Documents of [since, until) without `field`, and up to when those are all."""
        found: list[DocumentSnapshot[Any]] = []
        spans = [(since, until)]
        while spans:
            start, end = spans.pop()
            total = self._count(self._span(group, start, end))
            if total == 0 or total == self._count(self._span(group, start, end).order_by(field)):
                continue
            if total > READ_AT_ONCE and end - start > SHORTEST:
                middle = start + (end - start) / 2
                spans += [(middle, end), (start, middle)]
                continue
            read = self._span(group, start, end).stream(**bounded(READ_SECONDS))
            found += [one for one in read if field not in (one.to_dict() or {})]
            if len(found) >= limit:
                return found, end
        return found, until

    def _span(self, group: str, start: datetime, end: datetime) -> "Query":
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection_group(group)
        query = query.where(filter=FieldFilter("created_at", ">=", start))
        query = query.where(filter=FieldFilter("created_at", "<", end))
        ordered: Query = query.order_by("created_at")
        return ordered

    def _count(self, query: "Query") -> int:
        counted: Any = query.count()
        return int(counted.get(**bounded(READ_SECONDS))[0][0].value)


def _key(snapshot: "DocumentSnapshot[Any]") -> ThreadKey:
    """The thread a document belongs to: `users/{uid}/threads/{soul_id}/…`."""
    _, uid, _, soul_id, *_ = snapshot.reference.path.split("/")
    return ThreadKey(uid=uid, soul_id=soul_id)


def _uncounted(snapshot: "DocumentSnapshot[Any]") -> Uncounted | None:
    """None for a document that is no message: nothing can be counted of it."""
    try:
        path = snapshot.reference.path
        message = decode(Message, path, snapshot.to_dict() or {}, message_id=snapshot.id)
    except DocumentMisshapenError:
        return None
    versioned = Versioned(message=message, version=snapshot.update_time)
    return Uncounted(thread=_key(snapshot), message=versioned)


def _unfinished(snapshot: "DocumentSnapshot[Any]") -> Unfinished | None:
    try:
        path = snapshot.reference.path
        cycle = decode(Cycle, path, snapshot.to_dict() or {}, cycle_id=snapshot.id)
    except DocumentMisshapenError:
        return None
    return Unfinished(thread=_key(snapshot), cycle=cycle)


def _end(
    found: "Sequence[DocumentSnapshot[Any]]", field: str, limit: int, *, second: str = ""
) -> Position | None:
    if len(found) < limit:
        return None
    last = found[-1]
    body = last.to_dict() or {}
    return Position(value=body[field], path=last.reference.path, second=body.get(second))
