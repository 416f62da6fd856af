"""Which of many sentences to keep: simple scores, and an even spread over time."""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TypeVar

from functions.adapters.extractive_prompt import Said
from functions.adapters.extractive_text import USER, sentences

_T = TypeVar("_T")

# Beginnings of words, in lower case.
_STRONG = re.compile(
    r"약속|사랑|미안|고마[워웠운]|고맙|처음|첫눈|싸우|싸웠|싸움|다퉜|다투|헤어[지졌]|사귀|사귄|고백"
    r"|promise|sorry|thank|love|first|fight|fought|broke|marr"
)
_MILD = re.compile(
    r"기억|좋아[해하했]|보고 ?싶|그리워|서운|속상|생일|기념일|비밀|꿈|울었|무서|무섭|행복|슬[퍼프]"
    r"|외로|합격|아팠|걱정|자랑|축하|잊지|기다[리렸]|remember|birthday|secret|dream|afraid|scared"
    r"|happy|cried|proud|hope|worr|congrat|forg[eo]t"
)
_VISIBLE = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]")
_NAMED = re.compile(r"\d|[a-z,] [A-Z][a-z]|[A-Z]{2}|[\"“‘「]")

TURNING = 3.0


def weight(text: str) -> float:
    """How much a text seems to matter: promises, feelings, firsts, named things, length."""
    lowered = text.lower()
    strong = len(set(_STRONG.findall(lowered)))
    mild = len(set(_MILD.findall(lowered)))
    named = 0.5 if _NAMED.search(text) else 0.0
    return 3 * strong + 1.5 * mild + named + min(len(text), 60) / 60


def weighed(chat: Sequence[Said]) -> list[Said]:
    """The messages that hold something to quote, with their weights.

    The user's count a little more, questions a little less.
    """
    return [
        message._replace(
            weight=weight(message.text)
            + (0.5 if message.speaker == USER else 0)
            - (0.5 if message.text.rstrip().endswith(("?", "？")) else 0)
        )
        for message in chat
        if _VISIBLE.search(message.text)
    ]


def heaviest(chat: Sequence[Said]) -> Said:
    """The message that matters most; the earliest of equals."""
    return max(chat, key=lambda message: message.weight)


def weightiest(text: str) -> str:
    """The sentence of `text` that matters most; the earliest of equals."""
    found = sentences(text)
    if len(found) < 2:
        return "".join(found)
    return max(found, key=lambda one: weight(one) * (0.5 if len(one.split()) < 3 else 1))


def spread(items: Sequence[_T], count: int) -> list[_T]:
    """`count` items at even distances in their order, the first and the last among them."""
    if count >= len(items):
        return list(items)
    if count < 2:
        return list(items[:count])
    step = (len(items) - 1) / (count - 1)
    return [items[round(step * index)] for index in range(count)]


def pieces(items: Sequence[_T], count: int) -> list[list[_T]]:
    """`items` in `count` runs of about the same length, in order; no run is empty."""
    count = max(1, min(count, len(items)))
    bounds = [len(items) * index // count for index in range(count + 1)]
    runs = (list(items[start:end]) for start, end in pairwise(bounds))
    return [run for run in runs if run]


def stretches(chat: Sequence[Said], count: int) -> list[list[Said]]:
    """At most `count` stretches of the chat, spread over its days; none goes past a day.

    Of more days than that, the one with the weightiest message stands for its neighbours.
    """
    days = [list(day) for _, day in groupby(chat, key=lambda message: message.day)]
    if len(days) >= count:
        runs = pieces(days, count)
        return [max(run, key=lambda day: heaviest(day).weight) for run in runs]
    shares = _shares([len(day) for day in days], count)
    return [run for day, share in zip(days, shares, strict=True) for run in pieces(day, share)]


def _shares(sizes: Sequence[int], count: int) -> list[int]:
    """`count` in all, one each at least, the rest to the longest; none shorter than two."""
    shares = [1] * len(sizes)
    for _ in range(count - len(sizes)):
        longest = max(range(len(sizes)), key=lambda index: sizes[index] / shares[index])
        if sizes[longest] < 2 * (shares[longest] + 1):
            break
        shares[longest] += 1
    return shares
