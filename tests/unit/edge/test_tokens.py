"""Counting tokens offline, with the exact ranks (contract: o200k_base)."""

import subprocess
import sys

import pytest

from functions.adapters.tiktoken_counter import TiktokenCounter

COUNTER = TiktokenCounter()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("안녕하세요", 2), ("👩‍👩‍👧", 8), ("<|endoftext|>", 7)],
)
def test_known_counts(text: str, tokens: int) -> None:
    assert COUNTER.count(text) == tokens


def test_half_of_an_emoji_is_counted_and_not_raised() -> None:
    assert COUNTER.count("끝\ud83d") > 0


def test_nothing_is_loaded_before_the_first_count_and_nothing_is_fetched() -> None:
    code = (
        "import socket, sys\n"
        "socket.socket.connect = None\n"
        "from functions.adapters.tiktoken_counter import TiktokenCounter\n"
        "counter = TiktokenCounter()\n"
        "assert 'tiktoken' not in sys.modules\n"
        "print(counter.count('hello world'))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "2"
