"""The language model: Gemini, over the Gemini API (a key) or over Vertex AI (a project)."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from functions.adapters.gemini_answer import generation_of
from functions.adapters.gemini_failures import model_error_of
from functions.adapters.gemini_request import config_for
from shared.errors import ModelError, ModelMisconfiguredError, ModelNotFoundError
from shared.model.generation import Generation, ModelRequest

if TYPE_CHECKING:
    from google.auth.credentials import Credentials
    from google.genai import Client
    from google.genai.types import GenerateContentResponse

# The client's own default is v1, where aliases such as gemini-flash-latest are unknown.
_GEMINI_VERSION = "v1beta"
_VERTEX_VERSION = "v1beta1"

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class GeminiModel:
    """The `Model` port on google-genai.

    With a `project` it asks Vertex AI (application default credentials unless `credentials`
    are given), else the Gemini API with `api_key`. `base_url`, or the client's own
    GOOGLE_GEMINI_BASE_URL, sends it to another server. `monotonic` is in seconds.
    The client is built on the first call, once. Nothing is retried here: the queue does that.
    """

    def __init__(
        self,
        *,
        monotonic: Callable[[], float],
        api_key: str | None = None,
        project: str | None = None,
        location: str | None = None,
        base_url: str | None = None,
        credentials: "Credentials | None" = None,
    ) -> None:
        self._monotonic = monotonic
        self._api_key = (api_key or "").strip()
        self._project = project
        self._location = location
        self._base_url = base_url
        self._credentials = credentials
        self._client: Client | None = None
        self._building = threading.Lock()

    def generate(self, request: ModelRequest) -> Generation:
        """Ask the first of `request.models` that still exists; a retired one is logged.

        `timeout_seconds` is the deadline of the whole call; `latency_ms` is what the model
        that answered took. Raises ModelUnavailableError, ModelBlockedError, ModelOutputError,
        ModelMisconfiguredError, and ModelNotFoundError when every id is gone.
        """
        deadline = self._monotonic() + request.timeout_seconds
        for model in request.models:
            started = self._monotonic()
            try:
                response = self._ask(model, request, max(deadline - started, 0.001))
            except ModelNotFoundError:
                _log.warning("model %s is retired or unknown (404)", model)
                continue
            latency_ms = round((self._monotonic() - started) * 1000)
            return generation_of(response, asked=model, latency_ms=latency_ms)
        raise ModelNotFoundError(f"no model is left of: {', '.join(request.models)}")

    def _ask(self, model: str, request: ModelRequest, seconds: float) -> "GenerateContentResponse":
        def call() -> "GenerateContentResponse":
            return self._built_client().models.generate_content(
                model=model, contents=request.user, config=config_for(model, request, seconds)
            )

        try:
            return _within(seconds, call)
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
    look-up or a token refresh could hold a worker past its lease: hence the thread.
    """
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="gemini", daemon=True).start()
    return future.result(timeout=seconds)
