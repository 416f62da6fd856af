"""What follows from the environment for images: which bucket they are in, if any."""

import pytest

from functions.providers import with_image_bucket
from shared.settings import Settings

DEFAULT = "demo.firebasestorage.app"


@pytest.mark.parametrize(
    ("named", "provider", "environment", "bucket"),
    [
        ("", "", {"GOOGLE_GENAI_USE_VERTEXAI": "true"}, DEFAULT),
        ("", "", {"FUNCTIONS_EMULATOR": "true"}, DEFAULT),
        ("", "", {}, DEFAULT),
        ("pictures", "", {}, "pictures"),
        ("", "", {"GEMINI_API_KEY": "k"}, ""),
        ("", "gemini", {}, ""),
        ("", "vertex", {"GEMINI_API_KEY": "k"}, DEFAULT),
        ("pictures", "", {"GEMINI_API_KEY": "k"}, "pictures"),
    ],
)
def test_the_bucket_is_the_projects_unless_named_or_out_of_the_models_reach(
    named: str, provider: str, environment: dict[str, str], bucket: str
) -> None:
    settings = Settings.model_validate({"image_bucket": named, "model_provider": provider})
    assert with_image_bucket(settings, environment, "demo").image_bucket == bucket


def test_without_a_project_there_is_no_bucket() -> None:
    assert with_image_bucket(Settings(), {}, "").image_bucket == ""
