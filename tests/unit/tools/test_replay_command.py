"""`make replay FILE=…` with a file that is no chat: one sentence, and nothing is started."""

import re
from pathlib import Path

import pytest

from tools import replay
from tools.replay import main, named_soul


@pytest.fixture(autouse=True)
def no_emulators(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the emulators were started")

    monkeypatch.setattr(replay, "running_suite", refuse)


def test_a_bad_line_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text('{"role": "user", "text": "비밀", "created_at": "어제"}', encoding="utf-8")
    assert main([str(path)]) == 2
    said = capsys.readouterr()
    wanted = f'replay: {path}: line 1: "created_at" is no time in a known form.\n'
    assert (said.out, said.err) == ("", wanted)


def test_a_missing_file_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no/such/chat.jsonl"]) == 2
    assert capsys.readouterr().err == (
        "replay: no/such/chat.jsonl: the file cannot be read: No such file or directory.\n"
    )


@pytest.mark.parametrize("arguments", [[], ["a", "b"]])
def test_one_file_must_be_named(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == "usage: python -m tools.replay FILE\n"


@pytest.mark.parametrize(
    ("name", "soul_id"),
    [
        ("서윤", r"replay-soul-\w{8}"),
        ("Seo Yun/../__x__", r"replay-seo-yun-x-\w{8}"),
        ("?!", r"replay-soul-\w{8}"),
        ("a" * 200, rf"replay-{'a' * 40}-\w{{8}}"),
    ],
)
def test_a_soul_is_named_after_the_character(name: str, soul_id: str) -> None:
    soul = named_soul(name, "ko")
    assert re.fullmatch(soul_id, soul["soul_id"])
    assert soul["soul_messenger_bio"]["display_name"] == name
    assert soul["soul_default_persona"]["content"] == f"### {name}"


def test_two_characters_are_two_souls() -> None:
    assert named_soul("서윤", "ko")["soul_id"] != named_soul("해온", "ko")["soul_id"]
