"""Deadlines of calls to Firestore; far below those of any function."""

from functools import lru_cache
from typing import Any

READ_SECONDS = 20.0
COMMIT_SECONDS = 20.0


@lru_cache(maxsize=4)
def bounded(seconds: float) -> dict[str, Any]:
    """Keyword arguments of a client call that ends within `seconds`, its retries included.

    The client's own `timeout` bounds one attempt only, and its retries go on for minutes. A commit
    that is sent again is safe here: every one is under a precondition or is read back.
    """
    from google.api_core import exceptions, retry

    transient = retry.if_exception_type(
        exceptions.ServiceUnavailable, exceptions.InternalServerError, exceptions.ResourceExhausted
    )
    retries = retry.Retry(predicate=transient, initial=0.1, maximum=5.0, timeout=seconds)
    return {"timeout": seconds, "retry": retries}
