"""Keywords in Korean: precision, recall, and the time of one pass."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shared.recall.keywords import KeywordIndex, find_keywords
from tests.bench_recall.timing import seconds

CASES = Path(__file__).parents[1] / "unit" / "recall" / "keyword_cases.json"
Finder = Callable[[str, list[str]], list[str]]
_TEXT = "어제 하준이랑 속초에서 오징어순대를 먹고 등대까지 걸었는데 은색 열쇠를 잃어버렸어. "


def substring(text: str, keywords: list[str]) -> list[str]:
    """Wherever the characters stand."""
    return [one for one in keywords if one.casefold() in text.casefold()]


def word_boundary(text: str, keywords: list[str]) -> list[str]:
    r"""Between two `\b`."""
    return [one for one in keywords if re.search(rf"(?i)\b{re.escape(one)}\b", text)]


def whitespace_token(text: str, keywords: list[str]) -> list[str]:
    """As a whole token between blanks and punctuation."""
    tokens = " ".join(["", *re.findall(r"[^\s.,!?~…]+", text.casefold()), ""])
    return [one for one in keywords if f" {one.casefold()} " in tokens]


FINDERS: dict[str, Finder] = {
    "": find_keywords,
    "_substring": substring,
    "_word_boundary": word_boundary,
    "_whitespace_token": whitespace_token,
}


def measure() -> dict[str, float]:
    """Precision and recall of every finder on the same cases, and the time ratio."""
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    figures: dict[str, float] = {"keyword_cases": len(cases)}
    for name, find in FINDERS.items():
        precision, recall = _precision_and_recall(cases, find)
        figures |= {f"keyword_precision{name}": precision, f"keyword_recall{name}": recall}
    return figures | {"keyword_time_ratio": _pass_seconds(10_000) / _pass_seconds(100)}


def _precision_and_recall(cases: list[dict[str, Any]], find: Finder) -> tuple[float, float]:
    right = found = wanted = 0
    for case in cases:
        hits = set(find(case["text"], case["keywords"]))
        right += len(hits & set(case["hit"]))
        found += len(hits)
        wanted += len(case["hit"])
    return right / found, right / wanted


def _pass_seconds(count: int) -> float:
    """One pass over 2,000 characters, the keywords made ready before."""
    first, second, third = "하은서지도민속등오순", "준호색연희대초징어열", "이쇠나라마바사자차카"
    names = [a + b + c for a in first for b in second for c in third]
    keywords = [names[n % 1000] + (str(n // 1000) if n >= 1000 else "") for n in range(count)]
    index, text = KeywordIndex(keywords), (_TEXT * 50)[:2_000]
    return seconds(lambda: index.find(text))
