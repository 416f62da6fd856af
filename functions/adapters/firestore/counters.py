"""What the counter should say: counted messages between two places, added up by the database."""

from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.conditional import create_or_update
from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.counting.recount import CounterRead
from shared.errors import StaleClaimError
from shared.model.thread import Counter, MessageRef, ThreadKey

if TYPE_CHECKING:
    from datetime import datetime

    from google.cloud.firestore import Client

COUNTED = "token_count"


class FirestoreCounters:
    """`state/counter` of a thread, and the marks on its messages that it is to agree with."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)
        self._client = client

    def counted_between(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter:
        """Counted messages after the one and up to the other, in number and in tokens.

        A sum needs an index that ends in what is summed, so it cannot be cut at an id: what lies
        strictly between the two times is added up, the few messages at those very times are read.
        """
        total = self._added_up(key, after, until)
        times = {one.created_at for one in (after, until) if one is not None}
        edges = [self._at(key, time, after, until) for time in sorted(times)]
        return Counter(
            pending_tokens=total.pending_tokens + sum(sum(one) for one in edges),
            pending_messages=total.pending_messages + sum(len(one) for one in edges),
        )

    def read(self, key: ThreadKey) -> CounterRead:
        reference = self._paths.counter(key)
        found = reference.get(**bounded(READ_SECONDS))
        return CounterRead(
            counter=decode(Counter, reference.path, found.to_dict() or {}),
            version=found.update_time if found.exists else None,
        )

    def write(self, key: ThreadKey, read: CounterRead, counter: Counter) -> None:
        """Write the counter if nobody has since `read`. Raises StaleClaimError, UserGoneError.

        Since when a message has been pending is not known any more: the sweep looks, and corrects.
        """
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        batch, reference = self._client.batch(), self._paths.counter(key)
        create_or_update(batch, reference, {**dict(counter), "pending_since": 0}, read.version)
        if read.version is None:
            only_while_here(batch, self._paths, key.uid)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            check_still_here(self._paths, key.uid)
            # Perhaps our own commit, sent twice since its answer was lost.
            if self.read(key).counter != counter:
                raise StaleClaimError("a message was counted meanwhile") from error

    def _added_up(
        self, key: ThreadKey, after: MessageRef | None, until: MessageRef | None
    ) -> Counter:
        from google.cloud.firestore import FieldFilter

        query: Any = self._paths.messages(key)
        if after is not None:
            query = query.where(filter=FieldFilter("created_at", ">", after.created_at))
        if until is not None:
            query = query.where(filter=FieldFilter("created_at", "<", until.created_at))
        # By this order only messages that have been counted are among them.
        query = query.order_by("created_at").order_by(COUNTED)
        found = query.count(alias="messages").sum(COUNTED, alias="tokens")
        sums = {one.alias: int(one.value) for one in found.get(**bounded(READ_SECONDS))[0]}
        return Counter(pending_tokens=sums["tokens"], pending_messages=sums["messages"])

    def _at(
        self,
        key: ThreadKey,
        time: "datetime",
        after: MessageRef | None,
        until: MessageRef | None,
    ) -> list[int]:
        """The counts of the messages of this very time that lie between the two."""
        from google.cloud.firestore import FieldFilter

        of_that_time = FieldFilter("created_at", "==", time)
        query = self._paths.messages(key).where(filter=of_that_time).select([COUNTED])
        counts = []
        for found in query.stream(**bounded(READ_SECONDS)):
            place = MessageRef(created_at=time, message_id=found.id)
            is_within = (after is None or after.is_before(place)) and (
                until is None or not until.is_before(place)
            )
            count = (found.to_dict() or {}).get(COUNTED)
            if is_within and count is not None:
                counts.append(int(count))
        return counts
