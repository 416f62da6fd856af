"""A caller of a program that answers in lines: it hears answers, refusals, silence and the end."""

import sys
from collections.abc import Iterator

import pytest

from tools.app_process import AppClientError, AppError, AppProcess

PROGRAM = """
import json, sys
print(json.dumps({"id": 0, "ok": "ready"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    say = lambda **rest: print(json.dumps({"id": asked["id"], **rest}), flush=True)
    match asked["command"]:
        case "echo": say(ok=asked["value"])
        case "steps": say(progress=1); say(progress=2); say(ok=None)
        case "refuse": say(error={"code": "permission-denied", "message": "no"})
        case "late": pass
        case "end": print("its last words", file=sys.stderr, flush=True); sys.exit(3)
"""


@pytest.fixture
def process() -> Iterator[AppProcess]:
    running = AppProcess([sys.executable, "-c", PROGRAM])
    yield running
    running.close()


def ask(process: AppProcess, command: str, seconds: float = 20, **given: object) -> object:
    return process.ask(command, given, seconds=seconds, on_progress=None)


def test_an_answer(process: AppProcess) -> None:
    assert ask(process, "echo", value={"글": "응\u2028"}) == {"글": "응\u2028"}


def test_progress_comes_before_the_answer(process: AppProcess) -> None:
    heard: list[int] = []
    assert process.ask("steps", {}, seconds=20, on_progress=heard.append) is None
    assert heard == [1, 2]


def test_a_refusal_has_a_code(process: AppProcess) -> None:
    with pytest.raises(AppError, match="permission-denied: no") as refused:
        ask(process, "refuse")
    assert refused.value.code == "permission-denied"


def test_silence_ends_in_an_error_and_the_next_call_works(process: AppProcess) -> None:
    with pytest.raises(AppClientError, match="did not answer within 0 s"):
        ask(process, "late", seconds=0.05)
    assert ask(process, "echo", value=1) == 1


def test_an_end_is_told_with_its_last_words(process: AppProcess) -> None:
    for command in ("end", "echo"):
        with pytest.raises(AppClientError, match="has ended: its last words"):
            ask(process, command)


def test_a_closed_process_says_so(process: AppProcess) -> None:
    process.close()
    with pytest.raises(AppClientError, match="is closed"):
        ask(process, "echo", value=1)


def test_a_program_that_is_not_there_says_so() -> None:
    with pytest.raises(AppClientError, match="did not start"):
        AppProcess(["no-such-program-anywhere"])


def test_a_program_that_ends_at_once_says_so() -> None:
    with pytest.raises(AppClientError, match="has ended: no module"):
        AppProcess([sys.executable, "-c", "import sys; sys.exit('no module')"])
