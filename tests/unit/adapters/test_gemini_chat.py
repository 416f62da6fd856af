"""The chat's model: the real google-genai client, streaming from a server of our own."""

import time
from contextvars import ContextVar

import pytest

from functions.adapters.gemini_chat import GeminiChat
from shared.composing.composed import ComposedPrompt, Content, Part, TokenCounts
from shared.errors import (
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelOutputError,
    ModelUnavailableError,
)
from shared.model.cycle import PromptUsed
from shared.replying.reply_ports import ChatRequest
from tests.gemini_server import (
    Answer,
    GeminiServer,
    answer_body,
    error_body,
    streamed_answer,
)

USAGE = {"promptTokenCount": 40, "candidatesTokenCount": 5}


def request(*models: str, timeout_seconds: float = 10) -> ChatRequest:
    prompt = ComposedPrompt(
        model="gemini-3-flash-preview",
        temperature=0.7,
        reasoning=False,
        system_instruction="너는 소희다.",
        contents=(Content(role="user", parts=(Part(text="[2026-05-28 (목) 23:14] 자?"),)),),
        prompt=PromptUsed(name="chat", version="v6", sha256="0" * 64),
        memory_status="ready",
        generation=1,
        token_counts=TokenCounts(system=1, context=0, live=1, total=2),
        lorebook_entry_ids=(),
        omitted=(),
    )
    return ChatRequest(
        prompt=prompt, models=models or (prompt.model,), timeout_seconds=timeout_seconds
    )


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> GeminiChat:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return GeminiChat(monotonic=time.monotonic, api_key="AIza-not-a-real-key")


def serve(monkeypatch: pytest.MonkeyPatch, *script: Answer) -> GeminiServer:
    server = GeminiServer(script)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
    return server


def test_the_answer_is_heard_while_it_comes_and_then_whole(
    chat: GeminiChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = streamed_answer(
        answer_body([{"text": "안 "}], finish=None),
        answer_body([{"text": "(생각)", "thought": True}, {"text": "자\n너"}], finish=None),
        answer_body([{"text": "는?"}], version="gemini-3-flash-001", usage=USAGE),
    )
    heard: list[str] = []
    with serve(monkeypatch, script) as server:
        answer = chat.chat(request(), heard.append)
    assert heard == ["안 ", "자\n너", "는?"]
    assert answer.text == "안 자\n너는?"
    assert (answer.model_answered, answer.tokens_in, answer.tokens_out) == (
        "gemini-3-flash-001",
        40,
        5,
    )
    [sent] = server.requests
    assert sent.path.endswith(":streamGenerateContent?alt=sse")
    assert sent.body["systemInstruction"]["parts"] == [{"text": "너는 소희다."}]
    assert sent.body["contents"] == [
        {"role": "user", "parts": [{"text": "[2026-05-28 (목) 23:14] 자?"}]}
    ]
    assert sent.body["generationConfig"]["temperature"] == 0.7


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (streamed_answer({"promptFeedback": {"blockReason": "SAFETY"}}), ModelBlockedError),
        (
            streamed_answer(
                answer_body([{"text": "그게"}], finish=None), answer_body([], finish="SAFETY")
            ),
            ModelBlockedError,
        ),
        (streamed_answer(answer_body([{"text": "그게"}], finish="MAX_TOKENS")), ModelOutputError),
        (streamed_answer(answer_body([{"text": "그게"}], finish=None)), ModelOutputError),
        (Answer(503, error_body(503, "UNAVAILABLE")), ModelUnavailableError),
        (Answer(403, error_body(403, "PERMISSION_DENIED")), ModelMisconfiguredError),
        (Answer(cut="before"), ModelUnavailableError),
    ],
)
def test_what_is_no_answer_has_its_class(
    script: Answer,
    error: type[Exception],
    chat: GeminiChat,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serve(monkeypatch, script), pytest.raises(error):
        chat.chat(request(), lambda _: None)


def test_a_retired_model_gives_way_to_the_next(
    chat: GeminiChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Answer(404, error_body(404, "NOT_FOUND"))
    with serve(monkeypatch, gone, streamed_answer(answer_body([{"text": "응"}]))) as server:
        answer = chat.chat(request("gone", "there"), lambda _: None)
    assert answer.model_asked == "there"
    assert [one.model for one in server.requests] == ["gone", "there"]


def test_nothing_is_heard_after_the_deadline(
    chat: GeminiChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Answer(body=streamed_answer(answer_body([{"text": "늦음"}])).body, delay_seconds=5)
    heard: list[str] = []
    with serve(monkeypatch, slow), pytest.raises(ModelUnavailableError):
        chat.chat(request(timeout_seconds=0.3), heard.append)
    assert heard == []


def test_what_is_heard_is_heard_in_the_callers_context(
    chat: GeminiChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = ContextVar("caller", default="nobody")
    caller.set("the app")
    heard: list[str] = []
    with serve(monkeypatch, streamed_answer(answer_body([{"text": "자?"}]))):
        chat.chat(request(), lambda _: heard.append(caller.get()))
    assert heard == ["the app"]
