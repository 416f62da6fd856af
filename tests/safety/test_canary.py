"""Secrets planted everywhere, looked for everywhere, on the emulator."""

import pytest

from shared.safety import masking
from shared.safety.redaction import Redacted
from tests.safety import canary
from tests.safety.figures import Figure

pytestmark = pytest.mark.firestore


@pytest.fixture(autouse=True)
def on_the_emulator(firestore_host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_host)


def by_name(figures: list[Figure]) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures}


def test_no_planted_secret_turns_up_anywhere() -> None:
    wrong = [figure for figure in canary.measure() if not figure.is_met]
    assert [f"{figure}: {figure.detail}" for figure in wrong] == []


def test_without_masking_they_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "redact", lambda text: Redacted(text, ()))
    monkeypatch.setattr("shared.summarizing.asking.redact", lambda text: Redacted(text, ()))
    figures = by_name(canary.measure())
    assert figures["canaries_in_documents"].value > 100
    assert figures["canaries_in_prompts"].value > 100
