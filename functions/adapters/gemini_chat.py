"""The `ChatModel` port on Gemini: a composed prompt in, its answer while it is written."""

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from functions.adapters.gemini_answer import generation_of
from functions.adapters.gemini_client import GeminiClient
from functions.adapters.gemini_request import config_for
from shared.errors import ModelNotFoundError
from shared.model.generation import Generation, ModelRequest
from shared.replying.reply_ports import ChatRequest

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.types import GenerateContentResponse

_log = logging.getLogger(__name__)


class GeminiChat:
    """Streams `models.generate_content_stream`; besides `monotonic` it takes GeminiClient's."""

    def __init__(self, *, monotonic: Callable[[], float], **client: Any) -> None:
        self._monotonic = monotonic
        self._gemini = GeminiClient(**client)

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:
        """Ask the first of `request.models` that still exists; a retired one is logged.

        `timeout_seconds` is the deadline of the whole call, after which nothing is heard. Raises a
        ModelError, also when text has been heard already: a refusal may come in the middle.
        """
        deadline = self._monotonic() + request.timeout_seconds
        for model in request.models:
            started = self._monotonic()
            try:
                response = self._ask(model, request, max(deadline - started, 0.001), heard)
            except ModelNotFoundError:
                _log.warning("model %s is retired or unknown (404)", model)
                continue
            latency_ms = round((self._monotonic() - started) * 1000)
            return generation_of(response, asked=model, latency_ms=latency_ms)
        raise ModelNotFoundError(f"no model is left of: {', '.join(request.models)}")

    def _ask(
        self, model: str, request: ChatRequest, seconds: float, heard: Callable[[str], None]
    ) -> "GenerateContentResponse":
        prompt = request.prompt
        asked = ModelRequest(
            system=prompt.system_instruction,
            user="",
            models=request.models,
            temperature=prompt.temperature,
            reasoning=prompt.reasoning,
            timeout_seconds=request.timeout_seconds,
        )
        contents: Any = [one.model_dump(mode="json", exclude_none=True) for one in prompt.contents]
        is_waited_for = True

        def ask(client: "Client") -> "GenerateContentResponse":
            chunks = client.models.generate_content_stream(
                model=model, contents=contents, config=config_for(model, asked, seconds)
            )
            return _whole(chunks, lambda text: heard(text) if is_waited_for else None)

        try:
            return self._gemini.call(model, seconds, ask)
        finally:
            is_waited_for = False


def _whole(
    chunks: "Iterable[GenerateContentResponse]", heard: Callable[[str], None]
) -> "GenerateContentResponse":
    """The chunks as one answer: all their parts, and what the last of them say about it."""
    from google.genai.types import Candidate, Content, GenerateContentResponse, Part

    whole = GenerateContentResponse()
    parts: list[Part] = []
    for chunk in chunks:
        whole.model_version = chunk.model_version or whole.model_version
        whole.usage_metadata = chunk.usage_metadata or whole.usage_metadata
        whole.prompt_feedback = chunk.prompt_feedback or whole.prompt_feedback
        for candidate in (chunk.candidates or [])[:1]:
            fresh = (candidate.content and candidate.content.parts) or []
            parts += fresh
            ended = candidate.finish_reason or (whole.candidates or [Candidate()])[0].finish_reason
            whole.candidates = [
                Candidate(content=Content(role="model", parts=parts), finish_reason=ended)
            ]
            for part in fresh:
                if part.text and not part.thought:
                    heard(part.text)
    return whole
