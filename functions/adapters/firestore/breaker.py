"""The `Breaker` port: one document, `operations/breaker`, that all workers share."""

from contextlib import suppress
from typing import TYPE_CHECKING

from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded

if TYPE_CHECKING:
    from google.cloud.firestore import Client

OPENS_AT = 3


class FirestoreBreaker:
    """Open after three calls in a row that a wrong setting failed; closed by one that works.

    While it is open one call is let through for each probe that is granted.
    """

    def __init__(self, client: "Client") -> None:
        self._document = client.document("operations", "breaker")
        self._has_failed = False

    def admits(self) -> bool:
        from google.api_core.exceptions import FailedPrecondition
        from google.cloud.firestore import LastUpdateOption

        found = self._document.get(**bounded(READ_SECONDS))
        body = found.to_dict() or {}
        self._has_failed = found.exists
        if body.get("failures", 0) < OPENS_AT:
            return True
        if not body.get("probe"):
            return False
        try:
            option = LastUpdateOption(found.update_time)
            self._document.update({"probe": False}, option=option, **bounded(COMMIT_SECONDS))
        except FailedPrecondition:
            return False
        return True

    def record(self, *, configured: bool) -> None:
        """Never raises for Firestore: an answer that was paid for must not be lost over it."""
        from google.api_core.exceptions import GoogleAPICallError, RetryError

        with suppress(GoogleAPICallError, RetryError):
            self._record(configured=configured)

    def _record(self, *, configured: bool) -> None:
        from google.cloud.firestore import SERVER_TIMESTAMP, Increment

        if not configured:
            self._document.set(
                {"failures": Increment(1), "probe": False, "failed_at": SERVER_TIMESTAMP},
                merge=True,
                **bounded(COMMIT_SECONDS),
            )
        elif self._has_failed:
            self._document.delete(**bounded(COMMIT_SECONDS))

    def is_open(self) -> bool:
        body = self._document.get(**bounded(READ_SECONDS)).to_dict() or {}
        return bool(body.get("failures", 0) >= OPENS_AT)

    def grant_probe(self) -> None:
        self._document.set({"probe": True}, merge=True, **bounded(COMMIT_SECONDS))
