"""The `Users` port: everybody who has documents, whether or not anybody wrote `users/{uid}`."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.belongings import at, beyond
from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.timeouts import COMMIT_SECONDS, READ_SECONDS, bounded
from shared.leaving.leaving_ports import NightBookmark

if TYPE_CHECKING:
    from google.cloud.firestore import Client

NOTED = "missing_accounts"


class FirestoreUsers:
    """Uids in order; `missing_accounts/{uid}` and `operations/nightly_sweep` beside them."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._bookmark = client.document("operations", "nightly_sweep")

    def users_after(self, uid: str | None, *, limit: int) -> Sequence[str]:
        """One read a user: the first document behind all of the user before."""
        found: list[str] = []
        while len(found) < limit:
            following = self._user_after(uid)
            if following is None:
                break
            found.append(uid := following)
        return found

    def _user_after(self, uid: str | None) -> str | None:
        query: Any = self._client.collection("users").recursive().select(["__name__"])
        if uid is not None:
            query = query.start_after(at(beyond(self._client.document("users", uid))))
        for one in query.limit(1).stream(**bounded(READ_SECONDS)):
            return str(one.reference.path.split("/")[1])
        return None

    def note_missing(self, uids: Sequence[str], now: datetime) -> None:
        if not uids:
            return
        references = [self._client.document(NOTED, uid) for uid in uids]
        noted = self._client.get_all(references, **bounded(READ_SECONDS))
        batch = self._client.batch()
        for one in noted:
            if not one.exists:
                batch.set(one.reference, {"since": now})
        batch.commit(**bounded(COMMIT_SECONDS))

    def missing_since(self, before: datetime, *, limit: int) -> Sequence[str]:
        from google.cloud.firestore import FieldFilter

        query: Any = self._client.collection(NOTED)
        query = query.where(filter=FieldFilter("since", "<=", before)).order_by("since")
        return [one.id for one in query.limit(limit).stream(**bounded(READ_SECONDS))]

    def forget_missing(self, uids: Sequence[str]) -> None:
        if not uids:
            return
        batch = self._client.batch()
        for uid in uids:
            batch.delete(self._client.document(NOTED, uid))
        batch.commit(**bounded(COMMIT_SECONDS))

    def read_bookmark(self) -> NightBookmark:
        found = self._bookmark.get(**bounded(READ_SECONDS))
        return decode(NightBookmark, found.reference.path, found.to_dict() or {})

    def write_bookmark(self, bookmark: NightBookmark) -> None:
        self._bookmark.set(bookmark.model_dump(), **bounded(COMMIT_SECONDS))
