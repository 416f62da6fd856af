"""Every class of answer in `gemini_answers.yaml` ends in its class of error, and tells nothing."""

import time
import traceback
from pathlib import Path
from typing import Any

import pytest
import yaml

from functions.adapters.gemini import GeminiModel
from shared.errors import ModelError
from shared.model.generation import ModelRequest
from tests.gemini_server import Answer, GeminiServer, answer_body, error_body

CASES = yaml.safe_load(Path(__file__).with_name("gemini_answers.yaml").read_text())
KEY = "AIza-SECRET"


def answer_of(case: dict[str, Any]) -> Answer:
    status = case.get("status", 200)
    if "raw" in case:
        return Answer(status, case["raw"])
    if case.get("bytes"):
        return Answer(status, b"\xff\xfe\x00SECRET")
    if "error" in case:
        return Answer(status, error_body(status, case["error"], case.get("message", "no")))
    parts = [{"text": case["text"]}] if "text" in case else []
    body = case.get("body", answer_body(parts, finish=case.get("finish", "STOP")))
    return Answer(status, body, cut=case.get("cut", ""))


@pytest.mark.filterwarnings("ignore:.*is not a valid:UserWarning")
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_answer(case: dict[str, Any]) -> None:
    request = ModelRequest(
        system="SECRET system",
        user="SECRET user",
        models=("gemini-3-flash-preview",),
        temperature=0.4,
        reasoning=False,
        timeout_seconds=10,
    )
    with GeminiServer([answer_of(case)]) as server:
        model = GeminiModel(monotonic=time.monotonic, api_key=KEY, base_url=server.url)
        with pytest.raises(ModelError) as raised:
            model.generate(request)
    assert type(raised.value).__name__ == case["raises"]
    assert "SECRET" not in "".join(traceback.format_exception(raised.value))
    assert len(server.requests) == 1, "the client must not try again by itself"
