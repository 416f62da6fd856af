"""Who calls: firebase-admin verifies the token, and a handler asks here for the result."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from firebase_functions import https_fn

Handler = TypeVar("Handler", bound=Callable[..., Any])


def verified(function: Handler) -> Handler:
    """Have firebase-admin ready before the SDK verifies the caller's token with it.

    The SDK verifies first and runs its own init hook after, so without this every caller of a
    fresh instance would be refused.
    """

    @wraps(function)
    def ready(request: Any) -> Any:
        import firebase_admin

        if not firebase_admin._apps:
            firebase_admin.initialize_app()
        return function(request)

    return cast(Handler, ready)


def caller_uid(request: https_fn.CallableRequest[Any]) -> str:
    """The signed-in caller, from the verified token alone.

    A callable error for anybody else: `unauthenticated` without a user, or without an App Check
    token where the setting asks for one; `resource-exhausted` for one who calls too often.
    """
    if request.auth is None or not request.auth.uid:
        raise https_fn.HttpsError(
            https_fn.FunctionsErrorCode.UNAUTHENTICATED, "sign in to call this function"
        )
    from functions.services import services

    of = services()
    if of.settings.app_check and request.app is None:
        raise https_fn.HttpsError(
            https_fn.FunctionsErrorCode.UNAUTHENTICATED, "this function asks for App Check"
        )
    if not of.limiter.admits(request.auth.uid):
        raise https_fn.HttpsError(
            https_fn.FunctionsErrorCode.RESOURCE_EXHAUSTED, "too many calls: wait a minute"
        )
    return request.auth.uid


def require_server(request: https_fn.CallableRequest[Any]) -> None:
    """A callable error `permission-denied` unless the caller has the claim `server: true`."""
    _require(request, "server", "only servers may call this function")


def require_operator(request: https_fn.CallableRequest[Any]) -> None:
    """A callable error `permission-denied` unless the caller has the claim `operator: true`."""
    _require(request, "operator", "only operators may call this function")


def _require(request: https_fn.CallableRequest[Any], claim: str, refusal: str) -> None:
    claims = request.auth.token if request.auth is not None else {}
    if claims.get(claim) is not True:
        raise https_fn.HttpsError(https_fn.FunctionsErrorCode.PERMISSION_DENIED, refusal)
