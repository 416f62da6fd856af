"""The `ExportAllowance` port: exports counted in the user's day, as replies are."""

from typing import TYPE_CHECKING

from functions.adapters.firestore.gone import check_still_here, only_while_here
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, bounded

if TYPE_CHECKING:
    from google.cloud.firestore import Client


class FirestoreExportAllowance:
    """`exports` of `users/{uid}/budgets/{day}`."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def take(self, uid: str, day: str) -> int:
        """One commit. Sent twice it counts twice, to the user's loss, which a day makes good."""
        from google.api_core.exceptions import Conflict, FailedPrecondition
        from google.cloud.firestore import Increment

        batch = self._client.batch()
        batch.set(self._paths.budgets(uid).document(day), {"exports": Increment(1)}, merge=True)
        only_while_here(batch, self._paths, uid)
        try:
            results = batch.commit(**bounded(COMMIT_SECONDS))
        except (Conflict, FailedPrecondition):
            check_still_here(self._paths, uid)
            raise
        return int(results[0].transform_results[0].integer_value)
