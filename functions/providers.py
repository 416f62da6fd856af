"""Which provider the model is reached through, and what follows from it."""

from collections.abc import Mapping

from shared.settings import Settings


def provider_of(settings: Settings, environment: Mapping[str, str]) -> str:
    """`gemini`, `vertex` or `extractive`; empty where nothing says which."""
    if settings.model_provider:
        return settings.model_provider
    if environment.get("GEMINI_API_KEY"):
        return "gemini"
    if environment.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in {"1", "true"}:
        return "vertex"
    on_emulators = environment.get("FUNCTIONS_EMULATOR", "").lower() == "true"
    return "extractive" if on_emulators else ""


def storage_bucket(settings: Settings, project: str) -> str:
    """Where images and exports are, whether or not the chat's model may see images."""
    return settings.image_bucket or f"{project}.firebasestorage.app"


def with_image_bucket(settings: Settings, environment: Mapping[str, str], project: str) -> Settings:
    """The settings with the project's default bucket, where they name none.

    None with an API key: the Gemini API refuses a request that holds a `gs://` address, and then
    a chat with an image in it would get no answer at all. Vertex AI reads them.
    """
    if settings.image_bucket or not project or provider_of(settings, environment) == "gemini":
        return settings
    return settings.model_copy(update={"image_bucket": f"{project}.firebasestorage.app"})
