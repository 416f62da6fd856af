"""The `Belongings` port: every document under `users/{uid}`, and who has any.

A query without a collection finds the documents of all of them, at any depth, also below
documents that do not exist: nothing here knows the collections by name.
"""

from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.leaving.leaving_ports import DeletedPage

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference

PAGE = 500
COMMIT = 100  # a commit has limits, also on the index entries that it takes away
LAST = "\U0010ffff"  # no id sorts behind it


class FirestoreBelongings:
    """Deletes all that is a user's, and nothing beside it."""

    def __init__(self, client: "Client") -> None:
        self._client = client

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:
        query = descendants(self._client, uid)
        query = query.start_after(at(self._client.document(after))) if after else query
        found = [one.reference for one in query.limit(PAGE).stream(**bounded(READ_SECONDS))]
        for start in range(0, len(found), COMMIT):
            self._delete(uid, found[start : start + COMMIT])
        following = found[-1].path if len(found) == PAGE else None
        return DeletedPage(count=len(found), after=following)

    def _delete(self, uid: str, references: "list[DocumentReference]") -> None:
        batch = self._client.batch()
        for reference in references:
            if reference.path.split("/")[:2] != ["users", uid]:
                raise AssertionError("a document of somebody else's was about to be deleted")
            batch.delete(reference)
        batch.commit(**bounded(COMMIT_SECONDS))


def descendants(client: "Client", uid: str) -> Any:
    """The user's own document and all below it, in order, their names alone."""
    query: Any = client.collection("users").recursive().select(["__name__"])
    user = client.document("users", uid)
    return query.start_at(at(user)).end_at(at(beyond(user)))


def beyond(user: "DocumentReference") -> "DocumentReference":
    """Where the last of a user's documents would be."""
    reference: DocumentReference = user.collection(LAST).document(LAST)
    return reference


def at(reference: "DocumentReference") -> dict[str, "DocumentReference"]:
    """A place in the order of names."""
    return {"__name__": reference}
