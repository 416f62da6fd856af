"""What went wrong with a call of Gemini, as the class that says what to do about it.

No message here repeats what a server wrote: it may hold the prompt, the answer or the key.
Nor does a cause: only those are kept whose text is the HTTP client's own.
"""

import re
from json import JSONDecodeError
from typing import TYPE_CHECKING

from shared.errors import (
    ModelBlockedError,
    ModelError,
    ModelMisconfiguredError,
    ModelNotFoundError,
    ModelOutputError,
    ModelUnavailableError,
)

if TYPE_CHECKING:
    from google.auth.exceptions import GoogleAuthError
    from google.genai.errors import APIError

_TRANSIENT_CODES = frozenset({408, 409, 425, 429, 499})
_STATUS = re.compile(r"[A-Z][A-Z_]{0,63}")
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")
_REFUSED = re.compile(
    r"\b(?:blocked|block_?reason|prohibited|safety(?!_?\s?settings?\b)|content policy)\b",
    re.IGNORECASE,
)
_HTTP_CLIENTS = frozenset({"httpx", "httpx2"})
_NEVER_SENT = frozenset({"InvalidURL", "UnsupportedProtocol", "LocalProtocolError"})
_OWN_WORDS = re.compile(r"\w+Timeout|(?:Connect|Read|Write|Close)Error")


def model_error_of(error: Exception, model: str) -> tuple[ModelError, Exception | None]:
    """The error to raise, and the cause to name (None: its text is not ours to show).

    Raises `error` itself when it is none that a call is known to end in.
    """
    from google.auth.exceptions import GoogleAuthError
    from google.genai.errors import APIError

    if isinstance(error, APIError):
        return _of_status(error, model), None
    if isinstance(error, GoogleAuthError):
        return _of_credentials(error), None
    if isinstance(error, TimeoutError):
        return ModelUnavailableError(f"{model} did not answer in time"), error
    if isinstance(error, OSError):
        return ModelUnavailableError(f"{model}: {type(error).__name__}"), error
    if type(error).__module__.partition(".")[0] in _HTTP_CLIENTS:
        return _of_transport(error, model)
    return _of_body(error, model), None


def _of_status(error: "APIError", model: str) -> ModelError:
    """By the HTTP status. A web page comes from something on the way, whatever its status."""
    code = error.code if isinstance(error.code, int) else 0
    status = str(error.status)
    where = f"{model}: HTTP {code}" + (f" {status}" if _STATUS.fullmatch(status) else "")
    message = error.message if isinstance(error.message, str) else ""
    if message.lstrip().startswith("<"):
        return ModelUnavailableError(f"{where}, a web page")
    if code == 404:
        return ModelNotFoundError(where)
    if code in _TRANSIENT_CODES or not 400 <= code < 500:
        return ModelUnavailableError(where, retry_after_seconds=_retry_delay(error.details))
    if code == 400 and _REFUSED.search(message):
        return ModelBlockedError(f"{where}, refused for its content")
    return ModelMisconfiguredError(f"{where}: look at the key, its permissions and the model id")


def _retry_delay(details: object) -> float | None:
    """Seconds, of the RetryInfo that a 429 may carry: `"retryDelay": "37s"`."""
    error = details.get("error") if isinstance(details, dict) else None
    items = error.get("details") if isinstance(error, dict) else None
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            found = _DURATION.fullmatch(str(item.get("retryDelay")))
            if found:
                return float(found[1])
    return None


def _of_credentials(error: "GoogleAuthError") -> ModelError:
    from google.auth.exceptions import TransportError

    name = type(error).__name__
    if error.retryable or isinstance(error, TransportError):
        return ModelUnavailableError(f"credentials: {name}")
    return ModelMisconfiguredError(f"credentials: {name}")


def _of_transport(error: Exception, model: str) -> tuple[ModelError, Exception | None]:
    """An error of the HTTP client. Some repeat bytes that were sent or received: no cause."""
    name = type(error).__name__
    if name in _NEVER_SENT:
        return ModelMisconfiguredError(f"the base URL or the key cannot be sent: {name}"), None
    return ModelUnavailableError(f"{model}: {name}"), error if _OWN_WORDS.fullmatch(name) else None


def _of_body(error: Exception, model: str) -> ModelError:
    """An answer that was cut or is no JSON, JSON that is no answer of this API, or a setting."""
    from google.genai.errors import UnknownApiResponseError
    from pydantic import ValidationError

    name = type(error).__name__
    if isinstance(error, JSONDecodeError | UnicodeDecodeError | UnknownApiResponseError):
        return ModelUnavailableError(f"{model} answered something cut or garbled: {name}")
    if isinstance(error, ValidationError | AttributeError | TypeError | KeyError):
        return ModelOutputError(f"{model} answered in a shape that is not the API's: {name}")
    if isinstance(error, ValueError):
        return ModelMisconfiguredError(f"the client takes no such key or setting: {name}")
    raise error
