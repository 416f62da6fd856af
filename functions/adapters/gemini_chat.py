"""The `ChatModel` port on Gemini: a composed prompt in, its answer while it is written."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from functions.adapters.gemini_client import GeminiClient
from functions.adapters.gemini_fallbacks import first_answer
from functions.adapters.gemini_request import config_for
from shared.composing.composed import ComposedPrompt
from shared.model.generation import Generation
from shared.replying.reply_ports import ChatRequest

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.types import GenerateContentResponse


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
        return first_answer(
            request.models,
            request.timeout_seconds,
            lambda model, seconds: self._ask(model, request.prompt, seconds, heard),
            self._monotonic,
        )

    def _ask(
        self, model: str, prompt: ComposedPrompt, seconds: float, heard: Callable[[str], None]
    ) -> "GenerateContentResponse":
        contents: Any = [one.model_dump(mode="json", exclude_none=True) for one in prompt.contents]
        is_waited_for = True

        def ask(client: "Client") -> "GenerateContentResponse":
            chunks = client.models.generate_content_stream(
                model=model,
                contents=contents,
                config=config_for(model, prompt.system_instruction, prompt, seconds),
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
