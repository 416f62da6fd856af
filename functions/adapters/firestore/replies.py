"""The `Replies` port: `live/reply` of a thread, and the turns that replies become."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from functions.adapters.firestore.codec import decode, encode
from functions.adapters.firestore.conditional import create_or_update
from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.errors import StaleClaimError
from shared.latest import Latest
from shared.model.cycle import cycle_id_of
from shared.model.reply import Bubble, LiveReply
from shared.model.thread import MemoryState, Message, ThreadKey
from shared.replying.reply_ports import HeldReply

if TYPE_CHECKING:
    from google.cloud.firestore import Client, Transaction, WriteBatch

REMEMBERED = 256


class FirestoreReplies:
    """Replies under `users/{uid}/threads/{soul_id}`, and their number under `budgets/{day}`."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)
        self._known: Latest[ThreadKey, HeldReply] = Latest(REMEMBERED)

    def read(self, key: ThreadKey, *, afresh: bool = False) -> HeldReply | None:
        """As this process wrote it last, which its version tells from what is newer."""
        known = self._known.get(key)
        if known and not afresh:
            return known
        reference = self._paths.live_reply(key)
        found = reference.get(**bounded(READ_SECONDS))
        if not found.exists:
            return None
        reply = decode(LiveReply, reference.path, found.to_dict() or {})
        return self._known.put(key, HeldReply(reply=reply, version=found.update_time))

    def read_turn(self, key: ThreadKey, message_ids: Sequence[str]) -> Sequence[Bubble]:
        references = [self._paths.messages(key).document(one) for one in message_ids]
        found = self._client.get_all(references, **bounded(READ_SECONDS))
        texts = {one.id: (one.to_dict() or {}).get("text", "") for one in found if one.exists}
        return [Bubble(message_id=one, text=texts[one]) for one in message_ids if one in texts]

    def claim(
        self, key: ThreadKey, found: HeldReply | None, reply: LiveReply, *, day: str
    ) -> tuple[HeldReply, int]:
        """One commit of two writes; the day's total comes back with it.

        UserGoneError where a first reply would begin for a user whose data was deleted.
        """
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound
        from google.cloud.firestore import Increment

        batch = self._client.batch()
        self._write(batch, key, found, reply)
        budget = self._client.document("users", key.uid, "budgets", day)
        batch.set(budget, {"replies": Increment(1)}, merge=True)
        if found is None:
            only_while_here(batch, self._paths, key.uid)
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition, NotFound) as error:
            # Perhaps our own commit, sent twice since its answer was lost.
            stored = self.read(key, afresh=True)
            if stored is None or stored.reply != reply:
                check_still_here(self._paths, key.uid)
                raise StaleClaimError("another reply has begun") from error
            asked = (budget.get(**bounded(READ_SECONDS)).to_dict() or {}).get("replies", 0)
            return stored, asked
        held = self._known.put(key, HeldReply(reply=reply, version=results[0].update_time))
        return held, results[1].transform_results[0].integer_value

    def fail(self, key: ThreadKey, held: HeldReply, reply: LiveReply) -> None:
        from google.api_core.exceptions import FailedPrecondition, NotFound

        batch = self._client.batch()
        self._write(batch, key, held, reply)
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (FailedPrecondition, NotFound):
            self._known.forget(key)
            return
        self._known.put(key, HeldReply(reply=reply, version=results[0].update_time))

    def commit(
        self,
        key: ThreadKey,
        held: HeldReply,
        reply: LiveReply,
        bubbles: Sequence[Bubble],
        replaced: Sequence[Message],
    ) -> None:
        from google.api_core.exceptions import Conflict, FailedPrecondition, NotFound

        try:
            if replaced:
                self._known.forget(key)
                self._replace(key, held, reply, bubbles, replaced)
                return
            batch = self._client.batch()
            self._write_turn(batch, key, held, reply, bubbles)
            results = batch.commit(**bounded(COMMIT_SECONDS))
            self._known.put(key, HeldReply(reply=reply, version=results[0].update_time))
        except (Conflict, FailedPrecondition, NotFound) as error:
            stored = self.read(key, afresh=True)
            if stored is None or stored.reply != reply:
                raise StaleClaimError("another reply has begun") from error

    def _write(
        self, batch: "WriteBatch", key: ThreadKey, found: HeldReply | None, reply: LiveReply
    ) -> None:
        same = ["answered"] if found and reply.answered == found.reply.answered else []
        version = found.version if found else None
        create_or_update(batch, self._paths.live_reply(key), encode(reply, *same), version)

    def _write_turn(
        self,
        batch: "WriteBatch",
        key: ThreadKey,
        held: HeldReply,
        reply: LiveReply,
        bubbles: Sequence[Bubble],
    ) -> None:
        from google.cloud.firestore import SERVER_TIMESTAMP

        self._write(batch, key, held, reply)
        for bubble in bubbles:
            body = {
                "role": "soul",
                "text": bubble.text,
                "created_at": SERVER_TIMESTAMP,
                "generation_id": reply.generation_id,
            }
            batch.create(self._paths.messages(key).document(bubble.message_id), body)

    def _replace(
        self,
        key: ThreadKey,
        held: HeldReply,
        reply: LiveReply,
        bubbles: Sequence[Bubble],
        replaced: Sequence[Message],
    ) -> None:
        """In a transaction: what is replaced may be counted or consumed at the same moment."""
        from google.api_core.exceptions import Aborted
        from google.cloud.firestore import transactional

        @transactional
        def write(transaction: "Transaction") -> None:
            self._check_replaceable(transaction, key, replaced)
            self._write_turn(transaction, key, held, reply, bubbles)
            for message in replaced:
                transaction.delete(self._paths.messages(key).document(message.message_id))

        try:
            write(self._client.transaction())
        except ValueError as error:
            # How the client says that all of its attempts were aborted.
            if not isinstance(error.__cause__, Aborted):
                raise
            raise StaleClaimError("the turn moves faster than it can be replaced") from error

    def _check_replaceable(
        self, transaction: "Transaction", key: ThreadKey, replaced: Sequence[Message]
    ) -> None:
        """Raises StaleClaimError where one must stay.

        What a deletion means for counter and memory, its trigger settles, as for an owner's own.
        """
        state = self._paths.state(key)
        [found] = transaction.get_all([state], **bounded(READ_SECONDS))
        memory = decode(MemoryState, state.path, found.to_dict() or {})
        last = replaced[-1].ref
        following_cycle = self._paths.cycle(key, cycle_id_of(memory.generation + 1))
        [kept] = transaction.get_all([following_cycle], **bounded(READ_SECONDS))
        reading = memory.lease is not None or bool((kept.to_dict() or {}).get("consumed"))
        if reading or (memory.cursor and not memory.cursor.is_before(last)):
            raise StaleClaimError("memory is reading or holds what would be replaced")
        following = (
            self._paths.messages(key)
            .order_by("created_at")
            .order_by("__name__")
            .start_after({"created_at": last.created_at, "__name__": last.message_id})
            .limit(1)
        )
        if list(transaction.get(following, **bounded(READ_SECONDS))):
            raise StaleClaimError("a message has followed")
