"""What demo and replay print."""

import io

from tools.progress import Progress, bar
from tools.showing import cut_middle, model_lines, prompt_lines


class Terminal(io.StringIO):
    """A stream that lines can be redrawn on."""

    def isatty(self) -> bool:
        return True


def test_short_output_is_not_cut() -> None:
    assert cut_middle(["가", "나"], 2) == ["가", "나"]


def test_long_output_is_cut_in_the_middle_and_says_how_much() -> None:
    lines = [str(number) for number in range(10)]
    assert cut_middle(lines, 5) == ["0", "1", "2", "   … 5 lines cut …", "8", "9"]


def test_a_stand_in_is_called_one() -> None:
    said = " ".join(model_lines(["extractive-stand-in"]))
    assert "no language model" in said


def test_a_real_model_is_named_without_that_line() -> None:
    assert list(model_lines(["gemini-3-flash"])) == ["\nModel: gemini-3-flash"]


def test_a_prompt_with_an_image_shows_its_address() -> None:
    file = {"file_uri": "gs://pictures/users/u1/images/0.jpg", "mime_type": "image/jpeg"}
    lines = prompt_lines(
        {
            "prompt": {"name": "chat", "version": "v6", "sha256": "0" * 64},
            "model": "m",
            "generation": 1,
            "system_instruction": "s",
            "contents": [{"role": "user", "parts": [{"text": "가\n나"}, {"file_data": file}]}],
            "token_counts": {"total": 3},
            "omitted": [],
        }
    )
    shown = list(lines)
    at = shown.index("[user]")
    assert shown[at : at + 4] == ["[user]", "  가", "  나", "  gs://pictures/users/u1/images/0.jpg"]


def test_a_bar_is_empty_half_and_full() -> None:
    assert bar(0, 10) == f"[{'·' * 24}]"
    assert bar(5, 10) == f"[{'█' * 12}{'·' * 12}]"
    assert bar(10, 10) == bar(12, 10) == bar(0, 0) == f"[{'█' * 24}]"


def test_on_a_terminal_the_line_is_redrawn() -> None:
    stream = Terminal()
    with Progress("messages", 2, stream=stream) as progress:
        progress.show(1)
        progress.show(2, "· 7 tokens")
    assert stream.getvalue().count("\r\x1b[K") == 2
    assert stream.getvalue().endswith("2/2 · 7 tokens\n")


def test_elsewhere_a_line_comes_now_and_then_and_at_the_end() -> None:
    stream, times = io.StringIO(), [0.0]
    with Progress("messages", 9, stream=stream, clock=lambda: times[0]) as progress:
        for done in range(1, 10):
            progress.show(done)
            times[0] += 2
    assert stream.getvalue().splitlines() == ["messages: 4/9", "messages: 7/9", "messages: 9/9"]


def test_elsewhere_the_end_is_not_said_twice() -> None:
    stream, times = io.StringIO(), [0.0]
    with Progress("messages", 1, stream=stream, clock=lambda: times[0]) as progress:
        times[0] = 6
        progress.show(1)
    assert stream.getvalue() == "messages: 1/1\n"
