"""Users whose data was deleted: how every write keeps from bringing them back.

A commit that creates something is under the condition that no tombstone stands, and is refused
together with it. The condition is a delete of the tombstone that wants it not to exist: it changes
nothing, costs one write, and rides last in its commit. A commit that needs a document to exist
takes no such care: with the document gone it is refused anyway.
"""

from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import UserGoneError

if TYPE_CHECKING:
    from functions.adapters.firestore.paths import Paths


def only_while_here(batch: Any, paths: "Paths", uid: str) -> None:
    """Let the batch (or transaction) fail, whole, where the user's data was deleted."""
    batch.delete(paths.deletion(uid), option=paths.client.write_option(exists=False))


def check_still_here(paths: "Paths", uid: str) -> None:
    """Raises UserGoneError where the user's data was deleted: to tell why a commit was refused."""
    if paths.deletion(uid).get(**bounded(READ_SECONDS)).exists:
        raise UserGoneError
