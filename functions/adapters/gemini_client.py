"""The google-genai client, built once, and one call of it within a deadline."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from functions.adapters.aside import begun
from functions.adapters.gemini_failures import model_error_of
from shared.errors import ModelError, ModelMisconfiguredError

if TYPE_CHECKING:
    from google.auth.credentials import Credentials
    from google.genai import Client

# The client's own default is v1, where aliases such as gemini-flash-latest are unknown.
_GEMINI_VERSION = "v1beta"
_VERTEX_VERSION = "v1beta1"

_T = TypeVar("_T")


class GeminiClient:
    """Vertex AI where a `project` is given (application default credentials unless
    `credentials` are), else the Gemini API with `api_key`.

    `base_url`, or the client's own GOOGLE_GEMINI_BASE_URL, sends it to another server. The client
    is built on the first call, once. Nothing is retried here.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        project: str | None = None,
        location: str | None = None,
        base_url: str | None = None,
        credentials: "Credentials | None" = None,
    ) -> None:
        self._api_key = (api_key or "").strip()
        self._project = project
        self._location = location
        self._base_url = base_url
        self._credentials = credentials
        self._client: Client | None = None
        self._building = threading.Lock()

    def call(self, model: str, seconds: float, ask: "Callable[[Client], _T]") -> _T:
        """What `ask` answers; whatever it raises becomes a ModelError. `seconds` bound it all."""
        try:
            return _within(seconds, lambda: ask(self._built_client()))
        except ModelError:
            raise
        except Exception as error:
            failure, cause = model_error_of(error, model)
        raise failure from cause

    def _built_client(self) -> "Client":
        with self._building:
            if self._client is None:
                self._client = self._build_client()
            return self._client

    def _build_client(self) -> "Client":
        from google import genai
        from google.genai.types import HttpOptions

        options = HttpOptions(
            base_url=self._base_url or None,
            api_version=_VERTEX_VERSION if self._project else _GEMINI_VERSION,
        )
        if not self._project and not self._api_key:
            raise ModelMisconfiguredError("GEMINI_API_KEY: neither a key nor a project is set")
        if not self._project:
            return genai.Client(vertexai=False, api_key=self._api_key, http_options=options)
        return genai.Client(
            vertexai=True,
            project=self._project,
            location=self._location or None,
            credentials=self._credentials,
            http_options=options,
        )


def _within(seconds: float, call: Callable[[], _T]) -> _T:
    """What `call` returns or raises; TimeoutError after `seconds`.

    The HTTP client's own timeout is for each read, so an answer that drips, a slow name
    look-up or a token refresh could hold a worker past its lease: hence the thread. It runs in
    its caller's context: what a caller is told while the model writes finds the caller there.
    """
    return begun(call).result(timeout=seconds)
