"""Which model answers, by the settings and the environment."""

import os
from collections.abc import Callable, Mapping

from functions.adapters.clock import SystemClock
from functions.adapters.tiktoken_counter import TiktokenCounter
from functions.providers import provider_of
from shared.errors import ModelMisconfiguredError
from shared.model.generation import Generation, ModelRequest
from shared.ports import Embedder, Model
from shared.replying.reply_ports import ChatModel, ChatRequest
from shared.settings import Settings

NO_MODEL = "no model: set GEMINI_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI with project and location"


def choose_model(settings: Settings, tokens: TiktokenCounter) -> Model:
    """Memory's model; where nothing says which, every call of it says so."""
    provider = provider_of(settings, os.environ)
    if provider == "extractive":
        from functions.adapters.extractive import ExtractiveModel

        return ExtractiveModel(tokens)
    if not provider:
        return UnconfiguredModel()
    from functions.adapters.gemini import GeminiModel

    return GeminiModel(monotonic=SystemClock().monotonic, **gemini_access(provider))


def choose_chat_model(settings: Settings, tokens: TiktokenCounter) -> ChatModel:
    """The chat's model, chosen as memory's is."""
    provider = provider_of(settings, os.environ)
    if provider == "extractive":
        from functions.adapters.extractive_chat import ExtractiveChat

        return ExtractiveChat(tokens)
    if not provider:
        return UnconfiguredModel()
    from functions.adapters.gemini_chat import GeminiChat

    return GeminiChat(monotonic=SystemClock().monotonic, **gemini_access(provider))


def gemini_access(provider: str) -> dict[str, str]:
    """What Gemini's client is given, of the environment."""
    if provider == "gemini":
        return {"api_key": os.environ.get("GEMINI_API_KEY", "")}
    return vertex_access(os.environ)


def choose_embedder(settings: Settings) -> Embedder | None:
    """Gemini's embeddings where `EMBEDDING_MODEL` names one; else recall has no semantic lane."""
    if not settings.embedding_model:
        return None
    from functions.adapters.gemini import GeminiEmbedder

    key = os.environ.get("GEMINI_API_KEY", "")
    access = {"api_key": key} if key else vertex_access(os.environ)
    return GeminiEmbedder(
        model=settings.embedding_model,
        dimensions=settings.embedding_dimensions,
        seconds=settings.embedding_timeout_seconds,
        **access,
    )


def vertex_access(environment: Mapping[str, str]) -> dict[str, str]:
    """How Vertex AI is reached: this project, anywhere unless a location is named."""
    location = environment.get("GOOGLE_CLOUD_LOCATION", "global")
    return {"project": project_of(environment), "location": location}


def project_of(environment: Mapping[str, str]) -> str:
    """The project's id: Firebase names it for its functions, Google for everything else."""
    return environment.get("GCLOUD_PROJECT") or environment.get("GOOGLE_CLOUD_PROJECT", "")


class UnconfiguredModel:
    """Stands where no model was chosen: every call says which setting is missing."""

    def generate(self, request: ModelRequest) -> Generation:  # noqa: ARG002
        raise ModelMisconfiguredError(NO_MODEL)

    def chat(self, request: ChatRequest, heard: Callable[[str], None]) -> Generation:  # noqa: ARG002
        raise ModelMisconfiguredError(NO_MODEL)
