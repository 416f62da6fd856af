"""Recorded chats as files: what is read, what is noted and what is refused."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.chat_files import ChatFileError, read_chat

CASES = yaml.safe_load((Path(__file__).parent / "chat_files.yaml").read_text(encoding="utf-8"))
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def write(folder: Path, lines: list[Any]) -> Path:
    """The file of a case. `{$repeat: [text, times]}` spells a long line."""
    path = folder / "필름.jsonl"
    path.write_text("\n".join(map(_line, lines)), encoding="utf-8", newline="")
    return path


def _line(line: Any) -> str:
    if isinstance(line, str):
        return line
    if "$repeat" in line:
        text, times = line["$repeat"]
        return str(text) * int(times)
    return json.dumps(line, ensure_ascii=False)


@pytest.mark.parametrize("case", CASES["read"].values(), ids=CASES["read"])
def test_a_chat_is_read(case: dict[str, Any], tmp_path: Path) -> None:
    chat = read_chat(write(tmp_path, case["lines"]), now=NOW)
    read = [[one.role, one.text, one.created_at] for one in chat.messages]
    wanted = [
        [role, text, datetime.fromisoformat(time).replace(tzinfo=UTC)]
        for role, text, time in case["read"]
    ]
    assert read == wanted
    assert list(chat.notes) == case.get("notes", [])
    assert chat.soul_name == case.get("name", "필름")


@pytest.mark.parametrize("case", CASES["refused"].values(), ids=CASES["refused"])
def test_a_file_that_is_no_chat_is_refused(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ChatFileError) as refused:
        read_chat(write(tmp_path, case["lines"]), now=NOW)
    assert str(refused.value) == case["error"]
    assert "비밀" not in str(refused.value)


def test_a_long_message_is_cut_between_characters(tmp_path: Path) -> None:
    time = "2026-05-28T14:14:00Z"
    text = "가" * 3_999 + "👩‍👩‍👧" + "나" * 4_000
    path = write(tmp_path, [{"role": "user", "text": text, "created_at": time}])
    chat = read_chat(path, now=NOW)
    assert [one.text for one in chat.messages] == [
        "가" * 3_999,
        "👩‍👩‍👧" + "나" * 3_992,
        "나" * 8,
    ]
    assert "1 messages above 4,000 UTF-16 units cut into several" in chat.notes


def test_what_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_bytes('{"role": "user"}\n{"text": "비밀"}'.encode("euc-kr"))
    with pytest.raises(ChatFileError, match=r"^line 2 is not UTF-8$"):
        read_chat(path)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_what_cannot_be_opened_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ChatFileError, match=r"^the file cannot be read: \w"):
        read_chat(tmp_path / name)


def test_the_demos_own_chat_is_read_without_a_note() -> None:
    path = Path(__file__).parents[3] / "tools" / "demo_data" / "chat.jsonl"
    chat = read_chat(path, now=datetime(2027, 1, 1, tzinfo=UTC))
    assert len(chat.messages) == 476
    assert chat.notes == ()
