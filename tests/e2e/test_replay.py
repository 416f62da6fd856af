"""Recorded chats through the whole suite: every message is kept, in its own time, and counted."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import SUITE_SETTINGS
from tools.chat_files import read_chat
from tools.emulators import Suite
from tools.replay import replay
from tools.thread_report import ThreadReport

pytestmark = pytest.mark.suite

TRIGGER = int(SUITE_SETTINGS["CYCLE_TRIGGER_TOKENS"])
START = datetime.fromisoformat("2025-03-03T20:00:00+09:00")
SENTENCES = (
    "오늘 현상소에 필름을 맡기고 한참을 걸었어",
    "그 골목 끝에 있던 만두 가게는 아직 그대로야?",
    "다음에 강릉에 가면 새벽 바다부터 보러 가기로 약속해요",
    "어제 서운했던 건 내가 먼저 말하지 못해서 그래",
)


def replayed(suite: Suite, path: Path, lines: Sequence[Mapping[str, object]]) -> ThreadReport:
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text(text, encoding="utf-8")
    return replay(read_chat(path), suite, trigger=TRIGGER)


def sentence(number: int) -> str:
    return f"{SENTENCES[number % len(SENTENCES)]} ({number}번째)"


def test_a_recorded_chat_becomes_memory(suite: Suite, tmp_path: Path) -> None:
    lines = [
        {
            "role": "user" if number % 2 == 0 else "soul",
            "text": sentence(number),
            "created_at": (START + timedelta(hours=number)).isoformat(),
        }
        for number in range(120)
    ]
    report = replayed(suite, tmp_path / "서윤.jsonl", lines)
    assert report.accounts.problems == ()
    assert (report.accounts.stored, report.accounts.lost) == (120, 0)
    assert report.summary_cycles >= 2
    assert report.accounts.pending_tokens < TRIGGER
    assert report.slots["recent_context"]
    assert report.lorebook


def test_the_times_of_the_chat_are_kept(suite: Suite, tmp_path: Path) -> None:
    """Minutes only, as SillyTavern writes them: the order of the file must survive."""
    lines: list[Mapping[str, object]] = [{"user_name": "지우", "character_name": "서윤"}]
    lines += [
        {
            "name": "지우" if number % 2 == 0 else "서윤",
            "is_user": number % 2 == 0,
            "send_date": "March 3, 2025 8:05pm",
            "mes": sentence(number),
        }
        for number in range(60)
    ]
    report = replayed(suite, tmp_path / "export.jsonl", lines)
    assert report.accounts.balanced
    applied = [cycle.consumed for cycle in report.cycles if cycle.consumed]
    assert applied[0].first.created_at == START + timedelta(minutes=5)
    assert applied[-1].last.created_at < START + timedelta(minutes=5, seconds=1)


def test_a_message_above_the_limit_is_cut_and_nothing_of_it_is_lost(
    suite: Suite, tmp_path: Path
) -> None:
    line = {"role": "user", "text": sentence(0) * 400, "created_at": START.isoformat()}
    report = replayed(suite, tmp_path / "long.jsonl", [line])
    assert report.accounts.balanced
    assert report.accounts.stored == 3
    assert report.summary_cycles >= 1
