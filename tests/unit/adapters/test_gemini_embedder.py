"""Embeddings from the real google-genai client, against a server of our own."""

import json
import time

import pytest

from functions.adapters.gemini import GeminiEmbedder
from shared.errors import ModelError, ModelUnavailableError
from tests.gemini_server import Answer
from tests.unit.adapters.test_gemini import KEY, serving


def embedder(seconds: float = 10.0) -> GeminiEmbedder:
    return GeminiEmbedder(model="gemini-embedding-001", dimensions=3, seconds=seconds, api_key=KEY)


def vectors(*values: list[float]) -> Answer:
    return Answer(200, json.dumps({"embeddings": [{"values": one} for one in values]}))


def test_one_vector_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, vectors([1, 0, 0], [0, 1, 0])) as server:
        made = embedder().embed(["필름", "자전거"])
    assert (made.model, made.vectors) == ("gemini-embedding-001", ((1, 0, 0), (0, 1, 0)))
    (sent,) = server.requests
    assert sent.model == "gemini-embedding-001"
    assert "필름" in json.dumps(sent.body, ensure_ascii=False)
    assert '"outputDimensionality": 3' in json.dumps(sent.body)


@pytest.mark.parametrize(
    "answer",
    [vectors([1, 0, 0]), vectors([1, 0], [0, 1]), Answer(200, "{}"), Answer(503, "<html>")],
)
def test_other_vectors_than_were_asked_for_are_none(
    monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    with serving(monkeypatch, answer), pytest.raises(ModelError):
        embedder().embed(["필름", "자전거"])


def test_a_slow_service_costs_no_more_than_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:

    slow = Answer(200, json.dumps({}), delay_seconds=5.0)
    started = time.monotonic()
    with serving(monkeypatch, slow), pytest.raises(ModelUnavailableError):
        embedder(seconds=0.3).embed(["필름"])
    assert time.monotonic() - started < 4
