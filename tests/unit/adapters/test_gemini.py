"""The real google-genai client against a server of our own: what it sends and what it reads."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from google.oauth2.credentials import Credentials

from functions.adapters.gemini import GeminiModel
from shared.errors import (
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelNotFoundError,
    ModelUnavailableError,
)
from shared.model.generation import ModelRequest
from tests.gemini_server import Answer, GeminiServer, answer_body, error_body, text_answer

KEY = "AIza-not-a-real-key"
GONE = Answer(404, error_body(404, "NOT_FOUND", "models/x is not found for API version v1beta"))


def request_to(
    *models: str, reasoning: bool = False, timeout_seconds: float = 10.0
) -> ModelRequest:
    return ModelRequest(
        system="기억을 정리한다.",
        user="<data chat 7f>\n| 23:14 {user}: 안녕\n</data chat 7f>",
        models=models or ("gemini-3-flash-preview",),
        temperature=0.4,
        reasoning=reasoning,
        timeout_seconds=timeout_seconds,
    )


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, *script: Answer) -> Iterator[GeminiServer]:
    with GeminiServer(script) as server:
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        yield server


def gemini(api_key: str = KEY) -> GeminiModel:
    return GeminiModel(monotonic=time.monotonic, api_key=api_key)


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, text_answer("좋다")) as server:
        gemini().generate(request_to())
    (sent,) = server.requests
    assert sent.path == "/v1beta/models/gemini-3-flash-preview:generateContent"
    assert sent.headers["x-goog-api-key"] == KEY
    assert KEY not in sent.path
    assert sent.body == {
        "systemInstruction": {"role": "user", "parts": [{"text": "기억을 정리한다."}]},
        "contents": [
            {
                "role": "user",
                "parts": [{"text": "<data chat 7f>\n| 23:14 {user}: 안녕\n</data chat 7f>"}],
            }
        ],
        "generationConfig": {"temperature": 0.4, "thinkingConfig": {"thinking_level": "MINIMAL"}},
    }


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("gemini-3-flash-preview", {"thinking_level": "MINIMAL"}),
        ("gemini-3.1-flash-lite-preview", {"thinking_level": "MINIMAL"}),
        ("gemini-3.7-flash", {"thinking_level": "LOW"}),
        ("gemini-3.1-pro-preview", {"thinking_level": "LOW"}),
        ("gemini-flash-latest", {"thinking_level": "LOW"}),
        ("gemini-2.5-flash", {"thinking_budget": 0}),
        ("gemini-2.5-flash-lite", {"thinking_budget": 0}),
        ("gemini-2.5-pro", {"thinking_budget": 128}),
        ("gemini-2.0-flash", None),
        ("gemma-3-27b-it", None),
    ],
)
@pytest.mark.parametrize("reasoning", [False, True])
def test_thinking_is_named_as_the_model_wants_it(
    monkeypatch: pytest.MonkeyPatch, model: str, thinking: dict[str, object], reasoning: bool
) -> None:
    with serving(monkeypatch, text_answer("좋다")) as server:
        gemini().generate(request_to(model, reasoning=reasoning))
    sent = server.requests[0].body["generationConfig"].get("thinkingConfig")
    assert sent == (None if reasoning else thinking)


def test_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([100.0, 100.0, 101.5])
    usage = {"promptTokenCount": 900, "candidatesTokenCount": 70, "thoughtsTokenCount": 5}
    parts = [{"text": "생각", "thought": True}, {"text": "첫째 "}, {"text": "둘째 👩‍👩‍👧"}]
    answer = Answer(body=answer_body(parts, version="gemini-3-flash-001", usage=usage))
    with serving(monkeypatch, answer):
        model = GeminiModel(monotonic=lambda: next(seconds), api_key=KEY)
        generation = model.generate(request_to())
    assert generation.text == "첫째 둘째 👩‍👩‍👧"
    assert generation.model_asked == "gemini-3-flash-preview"
    assert generation.model_answered == "gemini-3-flash-001"
    assert (generation.tokens_in, generation.tokens_out) == (900, 75)
    assert generation.latency_ms == 1500


def test_an_answer_without_usage_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, text_answer("좋다")):
        generation = gemini().generate(request_to())
    assert (generation.tokens_in, generation.tokens_out) == (0, 0)
    assert generation.model_answered == "gemini-3-flash-preview"


def test_a_retired_model_gives_way_with_one_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(monkeypatch, GONE, text_answer("좋다")) as server:
        generation = gemini().generate(request_to("gemini-3-flash-preview", "gemini-2.5-flash"))
    assert [asked.model for asked in server.requests] == [
        "gemini-3-flash-preview",
        "gemini-2.5-flash",
    ]
    assert generation.model_asked == "gemini-2.5-flash"
    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert ["gemini-3-flash-preview" in record.getMessage() for record in warnings] == [True]


def test_only_a_404_moves_on(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Answer(503, error_body(503, "UNAVAILABLE"))
    with serving(monkeypatch, busy) as server, pytest.raises(ModelUnavailableError):
        gemini().generate(request_to("gemini-3-flash-preview", "gemini-2.5-flash"))
    assert len(server.requests) == 1


def test_every_model_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, GONE, GONE), pytest.raises(ModelNotFoundError, match="two"):
        gemini().generate(request_to("gemini-3-one", "gemini-3-two"))


def test_a_429_says_when_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37.5s"}
    quota = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []}
    busy = Answer(429, error_body(429, "RESOURCE_EXHAUSTED", details=[quota, retry]))
    with serving(monkeypatch, busy), pytest.raises(ModelUnavailableError) as raised:
        gemini().generate(request_to())
    assert raised.value.retry_after_seconds == 37.5


@pytest.mark.parametrize(
    "slow",
    [
        Answer(body=answer_body([{"text": "늦었다"}]), delay_seconds=60),
        Answer(body=answer_body([{"text": "한 글자씩"}]), drip_seconds=0.1),
    ],
    ids=["silent", "dripping"],
)
def test_the_deadline_holds(monkeypatch: pytest.MonkeyPatch, slow: Answer) -> None:
    with serving(monkeypatch, text_answer("이르다"), slow) as server:
        model = gemini()
        model.generate(request_to())
        started = time.monotonic()
        with pytest.raises(ModelUnavailableError):
            model.generate(request_to(timeout_seconds=1))
        assert time.monotonic() - started < 4
    assert [sent.headers["x-server-timeout"] for sent in server.requests] == ["10", "1"]


def test_the_deadline_is_one_for_all_models(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 0.0, 7.0, 7.5])
    with serving(monkeypatch, GONE, text_answer("좋다")) as server:
        model = GeminiModel(monotonic=lambda: next(seconds), api_key=KEY)
        assert model.generate(request_to("gemini-3-one", "gemini-3-two")).latency_ms == 500
    assert [sent.headers["x-server-timeout"] for sent in server.requests] == ["10", "3"]


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch) as server:
        pass
    assert server.requests == []
    with pytest.raises(ModelUnavailableError):
        gemini().generate(request_to())


@pytest.mark.parametrize("key", ["", "   ", "열쇠", "two\nlines", "auth_tokens/abc"])
def test_a_key_that_is_none(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    with serving(monkeypatch, text_answer("좋다")) as server:
        with pytest.raises(ModelMisconfiguredError) as raised:
            gemini(key).generate(request_to())
        assert key.strip() == "" or key not in f"{raised.value!r}{raised.value.__cause__!r}"
    assert server.requests == []


def test_a_base_url_that_is_none() -> None:
    model = GeminiModel(monotonic=time.monotonic, api_key=KEY, base_url="gemini.internal")
    with pytest.raises(ModelMisconfiguredError):
        model.generate(request_to())


def test_vertex_by_project_and_location(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "not for Vertex")
    blocked = Answer(body={"promptFeedback": {"blockReason": "MODEL_ARMOR"}})
    with serving(monkeypatch, text_answer("좋다"), blocked) as server:
        model = GeminiModel(
            monotonic=time.monotonic,
            project="demo-soul-memory",
            location="asia-northeast3",
            base_url=server.url,
            credentials=Credentials(token="a-token"),  # type: ignore[no-untyped-call]
        )
        assert model.generate(request_to()).text == "좋다"
        with pytest.raises(ModelBlockedError):
            model.generate(request_to())
    sent = server.requests[0]
    assert sent.path == (
        "/v1beta1/projects/demo-soul-memory/locations/asia-northeast3"
        "/publishers/google/models/gemini-3-flash-preview:generateContent"
    )
    assert sent.headers["authorization"] == "Bearer a-token"
    assert "x-goog-api-key" not in sent.headers
    assert sent.body["generationConfig"]["thinkingConfig"] == {"thinking_level": "MINIMAL"}


def test_the_client_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(monkeypatch, text_answer("하나"), text_answer("둘")):
        model = gemini()
        assert model.generate(request_to()).text == "하나"
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
        assert model.generate(request_to()).text == "둘"
