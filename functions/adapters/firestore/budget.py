"""The `Budget` port: what a user, and the project, may spend on memory's model calls a day.

A call is reserved in one atomic commit before it is made: a record of its own, and increments of
the user's and the project's day. The totals come back with the commit; where one is over, the
reservation is taken back and the call is not made. Nobody proceeds over the limit, however many
reserve at once. The record's precondition keeps a commit that is sent twice from counting twice.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.ports import BudgetCall

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference


class FirestoreBudget:
    """`users/{uid}/budgets/{day}`, with a record a call, and `budgets/{day}` for the project."""

    def __init__(self, client: "Client", limits: "dict[str, tuple[int, int]]") -> None:
        """`limits`: `user` and `project` → calls and tokens a day; 0 is no limit."""
        self._client = client
        self._paths = Paths(client)
        self._limits = limits

    def reserve(self, call: BudgetCall, tokens: int) -> bool:
        """Set `tokens` and one call aside; False, and nothing set aside, when over a limit.

        Raises UserGoneError for a user whose data was deleted.
        """
        from google.api_core.exceptions import Conflict, FailedPrecondition

        user, project, record = self._documents(call)
        batch = self._client.batch()
        batch.create(record, {"tokens": tokens, "settled": False})
        self._add(batch, (user, project), calls=1, tokens=tokens)
        only_while_here(batch, self._paths, call.uid)
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition):
            check_still_here(self._paths, call.uid)
            return self._is_reserved(record)
        spent = {
            "user": [value.integer_value for value in results[1].transform_results],
            "project": [value.integer_value for value in results[2].transform_results],
        }
        if all(self._fits(name, *totals) for name, totals in spent.items()):
            return True
        self._give_back(call, tokens)
        return False

    def settle(self, call: BudgetCall, tokens: int) -> None:
        """Replace what was set aside by what the call came to; a second time changes nothing.

        Never raises for Firestore: an answer that was paid for must not be lost over its bill.
        What was set aside then stays, too high, until the day turns.
        """
        from google.api_core.exceptions import GoogleAPICallError, RetryError

        with suppress(GoogleAPICallError, RetryError):
            self._settle(call, tokens)

    def _settle(self, call: BudgetCall, tokens: int) -> None:
        from google.cloud.firestore import LastUpdateOption

        user, project, record = self._documents(call)
        found = record.get(**bounded(READ_SECONDS))
        body = found.to_dict() or {}
        if not found.exists or body["settled"]:
            return
        batch = self._client.batch()
        option = LastUpdateOption(found.update_time)
        batch.update(record, {"tokens": tokens, "settled": True}, option=option)
        self._add(batch, (user, project), calls=0, tokens=tokens - body["tokens"])
        batch.commit(**bounded(COMMIT_SECONDS))

    def _give_back(self, call: BudgetCall, tokens: int) -> None:
        from google.api_core.exceptions import FailedPrecondition, NotFound

        user, project, record = self._documents(call)
        batch = self._client.batch()
        batch.delete(record, option=self._client.write_option(exists=True))
        self._add(batch, (user, project), calls=-1, tokens=-tokens)
        try:
            batch.commit(**bounded(COMMIT_SECONDS))
        except (FailedPrecondition, NotFound):
            return

    def _is_reserved(self, record: "DocumentReference") -> bool:
        return bool(record.get(**bounded(READ_SECONDS)).exists)

    def _fits(self, name: str, calls: int, tokens: int) -> bool:
        most_calls, most_tokens = self._limits[name]
        return (not most_calls or calls <= most_calls) and (
            not most_tokens or tokens <= most_tokens
        )

    def _add(
        self,
        batch: Any,
        accounts: "tuple[DocumentReference, DocumentReference]",
        *,
        calls: int,
        tokens: int,
    ) -> None:
        from google.cloud.firestore import Increment

        for account in accounts:
            amounts = {"calls": Increment(calls), "tokens": Increment(tokens)}
            batch.set(account, amounts, merge=True)

    def _documents(
        self, call: BudgetCall
    ) -> "tuple[DocumentReference, DocumentReference, DocumentReference]":
        user = self._client.document("users", call.uid, "budgets", call.day)
        record = self._client.document(
            "users", call.uid, "budgets", call.day, "calls", call.call_id
        )
        return user, self._client.document("budgets", call.day), record
