"""The `Accounts` port: Firebase Auth, by firebase-admin."""

from collections.abc import Sequence
from typing import Any

from shared.errors import RetryLaterError


class FirebaseAccounts:
    """Asks Auth in calls of a hundred."""

    def known(self, uids: Sequence[str]) -> frozenset[str]:
        """Those of `uids` that have an account. Raises RetryLaterError unless Auth spoke of all."""
        from firebase_admin import auth, exceptions

        try:
            answer = auth.get_users([auth.UidIdentifier(uid) for uid in uids], app=_app())
        except exceptions.FirebaseError as error:
            raise RetryLaterError("Auth did not answer") from error
        known = frozenset(user.uid for user in answer.users)
        if known.union(one.uid for one in answer.not_found) != set(uids):
            raise RetryLaterError("Auth did not speak of everybody it was asked about")
        return known

    def delete(self, uid: str) -> None:
        from firebase_admin import auth, exceptions

        try:
            auth.delete_user(uid, app=_app())
        except auth.UserNotFoundError:
            return
        except exceptions.FirebaseError as error:
            raise RetryLaterError("Auth did not delete the account") from error


def _app() -> Any:
    import firebase_admin

    return firebase_admin.get_app() if firebase_admin._apps else firebase_admin.initialize_app()
