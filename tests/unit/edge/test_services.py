"""Settings from the environment, and which model they lead to."""

import pytest
from pydantic import ValidationError

from functions.adapters.cloud_storage import CloudStorage
from functions.adapters.event_log import JsonEventLog
from functions.adapters.extractive import ExtractiveModel
from functions.adapters.gemini import GeminiModel
from functions.adapters.no_storage import NoStorage
from functions.adapters.tiktoken_counter import TiktokenCounter
from functions.models import UnconfiguredModel, choose_model
from functions.providers import storage_bucket
from functions.services import choose_storage, read_settings
from shared.errors import ModelMisconfiguredError
from shared.model.generation import ModelRequest
from shared.settings import Settings

MODEL_VARIABLES = ("GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "FUNCTIONS_EMULATOR")


def test_unset_and_blank_settings_have_their_defaults() -> None:
    assert read_settings({"CYCLE_TRIGGER_TOKENS": " "}) == Settings()


def test_a_setting_is_read_by_its_name_in_capitals() -> None:
    settings = read_settings({"CYCLE_TRIGGER_TOKENS": "3000", "RATING": "15+"})
    assert (settings.cycle_trigger_tokens, settings.rating) == (3000, "15+")


@pytest.mark.parametrize("value", ["0", "-1", "ten thousand", "1.5"])
def test_a_setting_that_does_not_fit_is_named(value: str) -> None:
    with pytest.raises(ValidationError, match="cycle_trigger_tokens"):
        read_settings({"CYCLE_TRIGGER_TOKENS": value})


@pytest.mark.parametrize(
    ("environment", "provider", "chosen"),
    [
        ({"GEMINI_API_KEY": "k", "FUNCTIONS_EMULATOR": "true"}, "", GeminiModel),
        ({"GOOGLE_GENAI_USE_VERTEXAI": "true"}, "", GeminiModel),
        ({"FUNCTIONS_EMULATOR": "true"}, "", ExtractiveModel),
        ({"GEMINI_API_KEY": "k"}, "extractive", ExtractiveModel),
        ({}, "", UnconfiguredModel),
    ],
)
def test_the_model_follows_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], provider: str, chosen: type
) -> None:
    for name in MODEL_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    settings = Settings.model_validate({"model_provider": provider})
    assert type(choose_model(settings, TiktokenCounter())) is chosen


def test_production_without_a_model_says_which_setting_is_missing() -> None:
    request = ModelRequest(
        system="s", user="u", models=("m",), temperature=0, reasoning=False, timeout_seconds=1
    )
    with pytest.raises(ModelMisconfiguredError, match="GEMINI_API_KEY"):
        UnconfiguredModel().generate(request)


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, CloudStorage),
        ({"FUNCTIONS_EMULATOR": "true"}, NoStorage),
        ({"FUNCTIONS_EMULATOR": "true", "STORAGE_EMULATOR_HOST": "http://h:1"}, CloudStorage),
    ],
)
def test_no_emulators_functions_reach_the_real_storage(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], chosen: type
) -> None:
    for name in ("FUNCTIONS_EMULATOR", "STORAGE_EMULATOR_HOST"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert type(choose_storage(Settings(), "demo", JsonEventLog())) is chosen


def test_exports_have_a_bucket_also_where_the_model_sees_no_images() -> None:
    assert storage_bucket(Settings(), "demo") == "demo.firebasestorage.app"
    assert storage_bucket(Settings(image_bucket="mine"), "demo") == "mine"
