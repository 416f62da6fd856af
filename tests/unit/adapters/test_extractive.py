"""The stand-in as a `Model`: says what it is, answers the same, takes any text, is quick."""

import logging
import os
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.adapters.extractive import MODEL_NAME, ExtractiveModel, say_what_this_is
from shared.errors import ModelMisconfiguredError
from shared.model.generation import ModelRequest
from shared.safety.fencing import fence
from shared.seeding.write_summaries import read_summaries
from shared.summarizing.memory_document import parse_first_memory, parse_summary
from shared.summarizing.writing import memory_document
from tests.unit.adapters.asking import (
    Characters,
    ask,
    ask_first_memory,
    ask_scenes,
    ask_summary,
    chat_of,
    request_of,
)
from tests.unit.adapters.test_extractive_summary import ENGLISH, KOREAN, quotes

ROOT = Path(__file__).parents[3]
ANY_LINE = st.text(max_size=80) | st.sampled_from(
    [
        "=== LOREBOOK ===",
        "## Recent context",
        "- ",
        "### ",
        "```",
        "약속",
        "I'm a nurse",
        "👩🏽‍🚀" * 9,
    ]
)


def test_it_says_what_it_is_once(caplog: pytest.LogCaptureFixture) -> None:
    say_what_this_is.cache_clear()
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            generation = ask(
                "chat_summary",
                memory_document="",
                soul_default_persona="",
                chat=(fence("chat", chat_of("안녕"), "7f3a")),
            )
    assert generation.model_asked == generation.model_answered == MODEL_NAME
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert "not a language model" in lines[0]


def test_tokens_are_counted_of_what_goes_in_and_comes_out() -> None:
    request = request_of("s" * 40, fence("chat", chat_of("안녕"), "7f"))
    generation = ExtractiveModel(Characters()).generate(request)
    assert generation.tokens_in == 10 + len(request.user) // 4
    assert generation.tokens_out == len(generation.text) // 4


@pytest.mark.parametrize(
    "user",
    ["", "안녕", "<data chat 7f>\n| 23:14 {user}: 안녕", "<data chat 7f>\n| 가\n</data chat 8a>"],
)
def test_another_prompt_is_a_mistake_of_the_setting(user: str) -> None:
    with pytest.raises(ModelMisconfiguredError):
        ExtractiveModel(Characters()).generate(request_of("", user))


@pytest.mark.parametrize("lines", [KOREAN, ENGLISH], ids=["korean", "english"])
def test_the_same_in_every_process(lines: tuple[str, ...]) -> None:
    program = (
        "from tests.unit.adapters.asking import ask_summary, chat_of\n"
        f"print(ask_summary(chat_of(*{lines!r})), end='')"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        for seed in ("1", "2")
    }
    assert answers == {ask_summary(chat_of(*lines))}


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(ANY_LINE, min_size=1, max_size=30), name=st.text(min_size=1, max_size=12))
def test_any_chat_gives_a_document_that_reads(lines: list[str], name: str) -> None:
    chat = chat_of(*(line.strip() or "." for line in lines), soul_name=name.strip() or "소희")
    first = parse_summary(ask_summary(chat))
    second = parse_summary(ask_summary(chat, memory_document(first.as_slots())))
    assert len(second.ltm) <= 12
    assert len(second.lorebook) <= 8


@settings(max_examples=80, deadline=None)
@given(chat=st.text(max_size=300), memory=st.text(max_size=300))
def test_any_text_at_all_gives_a_document_that_reads(chat: str, memory: str) -> None:
    assert parse_summary(ask_summary(f"안녕\n{chat}", memory)).recent
    seed = ask_first_memory(f"### 에피소드 1: {chat}\n- [{chat}] {memory}", memory)
    assert len(parse_first_memory(seed).ltm) <= 12
    assert len(read_summaries(ask_scenes(f"### 장면 1\n.{chat}"))) == 1


@settings(max_examples=50, deadline=None)
@given(
    characters=st.lists(
        st.sampled_from(
            ["👩‍👩‍👧‍👦", "👍🏽", "🇰🇷", "각", "e\u0301", "가", " ", "나", "\u1100\u1161\u11a8"]
        ),
        min_size=60,
        max_size=90,
    )
)
def test_a_trimmed_quote_ends_with_a_whole_character(characters: list[str]) -> None:
    whole = [unicodedata.normalize("NFC", character) for character in characters]
    starts = {"".join(whole[:end]) for end in range(len(whole) + 1)}
    starts = {" ".join(start.split()) for start in starts}
    text = "".join(characters)
    for quote in quotes("\n".join(parse_summary(ask_summary(chat_of(text))).recent)):
        assert quote in starts


def test_forty_thousand_tokens_take_no_time() -> None:
    chat = chat_of(*(KOREAN * 250), messages_a_day=100)
    assert len(chat) > 90_000
    ask_summary(chat_of(*KOREAN))
    request = request_of("", fence("chat", chat, "7f"))
    model = ExtractiveModel(Characters())
    best = min(_seconds(model, request) for _ in range(3))
    assert best < 0.2


def _seconds(model: ExtractiveModel, request: ModelRequest) -> float:
    started = time.process_time()
    model.generate(request)
    return time.process_time() - started
