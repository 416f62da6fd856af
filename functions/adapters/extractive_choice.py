"""Which of many sentences to keep: simple scores, and an even spread over time."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TypeVar

from functions.adapters.extractive_prompt import Said
from functions.adapters.extractive_text import USER, sentences

_T = TypeVar("_T")

_STRONG = re.compile(
    r"약속|사랑|미안|고마[워웠운]|고맙|처음|첫눈|첫 |싸우|싸웠|싸움|다퉜|다투|헤어[지졌]|사귀|사귄|고백"
    r"|\bpromise|\bsorry\b|\bthank|\blove|\bfirst\b|\bfight|\bfought|\bbroke up|\bmarr",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"기억|좋아[해하했]|보고 ?싶|그리[워웠]|서운|속상|생일|기념일|비밀|꿈|울었|무서|무섭|행복|슬[퍼프펐]"
    r"|외로|합격|아팠|걱정|자랑|축하|잊지|기다[리렸]"
    r"|\bremember|\bmiss(?:ed)? you|\bbirthday|\bsecret|\bdream|\bafraid|\bscared|\bhapp[yi]"
    r"|\bsad\b|\bcried|\bproud|\bhope|\bworr|\bcongrat|\bforget|\bwait",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\d|(?<=[a-z,] )[A-Z][a-z]+|[A-Z]{2,}|['\"“‘「]")

TURNING = 3.0


def weight(text: str) -> float:
    """How much a text seems to matter: promises, feelings, firsts, named things, length."""
    strong = {found.lower() for found in _STRONG.findall(text)}
    mild = {found.lower() for found in _MILD.findall(text)}
    named = 0.5 if _NAMED.search(text) else 0.0
    return 3 * len(strong) + 1.5 * len(mild) + named + min(len(text), 60) / 60


def weight_said(message: Said) -> float:
    """`weight` of a message: the user's count a little more, questions a little less."""
    asks = message.text.rstrip().endswith(("?", "？"))
    return weight(message.text) + (0.5 if message.speaker == USER else 0) - (0.5 if asks else 0)


def weightiest(text: str) -> str:
    """The sentence of `text` that matters most; the earliest of equals."""
    found = sentences(text)
    return max(found, key=weight) if found else ""


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
    runs = (list(items[start:end]) for start, end in zip(bounds, bounds[1:], strict=False))
    return [run for run in runs if run]


def stretches(chat: Sequence[Said], count: int) -> list[list[Said]]:
    """At most `count` stretches of the chat, spread over its days; none goes past a day.

    Of more days than that, the one with the weightiest message stands for its neighbours.
    """
    days = [list(day) for _, day in groupby(chat, key=lambda message: message.day)]
    if len(days) >= count:
        heaviest: Callable[[list[Said]], float] = lambda day: max(map(weight_said, day))  # noqa: E731
        return [max(run, key=heaviest) for run in pieces(days, count)]
    spare = count - len(days)
    found: list[list[Said]] = []
    for day in days:
        extra = round(spare * len(day) / max(len(chat), 1))
        found += pieces(day, min(1 + extra, max(1, len(day) // 2)))
    return found[:count]
