"""The language model and the embedder: Gemini, over the Gemini API or over Vertex AI."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from functions.adapters.gemini_client import GeminiClient
from functions.adapters.gemini_fallbacks import first_answer
from functions.adapters.gemini_request import config_for
from shared.errors import ModelUnavailableError
from shared.model.generation import Generation, ModelRequest
from shared.ports import Embeddings

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.types import GenerateContentResponse


class GeminiModel:
    """The `Model` port on google-genai; what it takes besides `monotonic` is GeminiClient's.

    `monotonic` is in seconds. Nothing is retried here: the queue does that.
    """

    def __init__(self, *, monotonic: Callable[[], float], **client: Any) -> None:
        self._monotonic = monotonic
        self._gemini = GeminiClient(**client)

    def generate(self, request: ModelRequest) -> Generation:
        """Ask the first of `request.models` that still exists; a retired one is logged.

        `timeout_seconds` is the deadline of the whole call; `latency_ms` is what the model
        that answered took. Raises ModelUnavailableError, ModelBlockedError, ModelOutputError,
        ModelMisconfiguredError, and ModelNotFoundError when every id is gone.
        """
        return first_answer(
            request.models,
            request.timeout_seconds,
            lambda model, seconds: self._ask(model, request, seconds),
            self._monotonic,
        )

    def _ask(self, model: str, request: ModelRequest, seconds: float) -> "GenerateContentResponse":
        def ask(client: "Client") -> "GenerateContentResponse":
            return client.models.generate_content(
                model=model,
                contents=request.user,
                config=config_for(model, request.system, request, seconds),
            )

        return self._gemini.call(model, seconds, ask)


class GeminiEmbedder:
    """The `Embedder` port: vectors of `dimensions` numbers from one model, or nothing."""

    def __init__(self, *, model: str, dimensions: int, seconds: float, **client: Any) -> None:
        self._model = model
        self._dimensions = dimensions
        self._seconds = seconds
        self._gemini = GeminiClient(**client)

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """One vector a text, in order. Raises a ModelError, within the deadline."""
        from google.genai.types import ContentListUnion, EmbedContentConfig, HttpOptions

        config = EmbedContentConfig(
            output_dimensionality=self._dimensions,
            http_options=HttpOptions(timeout=max(1, round(self._seconds * 1000))),
        )
        contents: ContentListUnion = list(texts)
        response = self._gemini.call(
            self._model,
            self._seconds,
            lambda client: client.models.embed_content(
                model=self._model, contents=contents, config=config
            ),
        )
        vectors = [tuple(one.values or ()) for one in response.embeddings or ()]
        if len(vectors) != len(texts) or any(len(one) != self._dimensions for one in vectors):
            raise ModelUnavailableError(f"{self._model} gave other vectors than were asked for")
        return Embeddings(model=self._model, vectors=tuple(vectors))
