"""What a domain error becomes at the edge: a callable error, a retry, or an acknowledgement."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from firebase_functions.https_fn import FunctionsErrorCode, HttpsError

if TYPE_CHECKING:
    from functions.adapters.event_log import JsonEventLog

_CODE_OF_KIND = {
    "blocked": "FAILED_PRECONDITION",
    "busy": "ABORTED",
    "budget": "RESOURCE_EXHAUSTED",
    "retry": "UNAVAILABLE",
}


@contextmanager
def callable_failures() -> Iterator[None]:
    """Inside, an error of the core or of Firestore leaves as the callable error it means.

    The text names fields and documents only. What nobody foresaw is `internal`, logged by the
    name of its class alone, since its text may hold what a user wrote.
    """
    from google.api_core.exceptions import GoogleAPICallError, RetryError

    from shared import errors

    try:
        yield
    except HttpsError:
        raise
    except errors.InvalidArgumentError as error:
        raise HttpsError(FunctionsErrorCode.INVALID_ARGUMENT, str(error)) from None
    except errors.DocumentNotFoundError as error:
        raise HttpsError(FunctionsErrorCode.NOT_FOUND, str(error)) from None
    except errors.DocumentMisshapenError as error:
        raise HttpsError(FunctionsErrorCode.FAILED_PRECONDITION, str(error)) from None
    except errors.UserGoneError as error:
        raise HttpsError(FunctionsErrorCode.NOT_FOUND, str(error)) from None
    except errors.LimitReachedError as error:
        raise HttpsError(FunctionsErrorCode.RESOURCE_EXHAUSTED, str(error)) from None
    except errors.StorageUnusableError as error:
        raise HttpsError(FunctionsErrorCode.FAILED_PRECONDITION, str(error)) from None
    except errors.PermissionDeniedError as error:
        raise HttpsError(FunctionsErrorCode.PERMISSION_DENIED, str(error)) from None
    except errors.ReplyFailedError as error:
        code = FunctionsErrorCode[_CODE_OF_KIND[error.kind]]
        raise HttpsError(code, str(error), {"kind": error.kind}) from None
    except errors.CycleUnderWayError as error:
        raise HttpsError(FunctionsErrorCode.UNAVAILABLE, str(error)) from None
    except (errors.RetryLaterError, errors.StaleClaimError, GoogleAPICallError, RetryError):
        raise HttpsError(FunctionsErrorCode.UNAVAILABLE, "try again in a moment") from None
    except Exception as error:
        _unforeseen(error)


@contextmanager
def worker_failures(log: "JsonEventLog", work: str, thread_id: str) -> Iterator[None]:
    """Inside a trigger or a task: what time cures is raised for a retry, the rest acknowledged.

    Another worker's claim is no failure. A document that is missing or does not fit is put on
    record by the use case; a retry would find the same.
    """
    from google.api_core.exceptions import GoogleAPICallError, RetryError

    from shared import errors

    try:
        yield
    except errors.StaleClaimError:
        return
    except (errors.DocumentNotFoundError, errors.DocumentMisshapenError) as error:
        log.warn("not_done", work=work, thread_id=thread_id, reason=str(error))
    except errors.InvalidArgumentError as error:
        log.warn("ignored", work=work, thread_id=thread_id, reason=str(error))
    except errors.RetryLaterError as error:
        raise HttpsError(FunctionsErrorCode.UNAVAILABLE, str(error)) from None
    except (GoogleAPICallError, RetryError) as error:
        raise HttpsError(FunctionsErrorCode.UNAVAILABLE, type(error).__name__) from None
    except Exception as error:
        _unforeseen(error)


def _unforeseen(error: Exception) -> NoReturn:
    import traceback

    from functions.adapters.event_log import JsonEventLog

    places = [
        f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    JsonEventLog().write(
        "ERROR", "unforeseen", error=type(error).__name__, at=" < ".join(reversed(places))
    )
    raise HttpsError(FunctionsErrorCode.INTERNAL, "internal error") from None
