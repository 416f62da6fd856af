"""How demo and replay show a memory on a terminal. Pure: each answers lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from google.api_core.exceptions import GoogleAPIError

from functions.adapters.extractive import MODEL_NAME
from tools.thread_report import ThreadReport

PROMPT_LINES = 120
WIDTH = 78


def in_words(error: Exception) -> str:
    """An expected failure as one line; the database's own texts are left out for its data."""
    if isinstance(error, GoogleAPIError):
        return f"the database did not do what it was asked ({type(error).__name__})"
    return str(error)


def heading(text: str) -> str:
    """A line that a part of the output starts with."""
    return f"\n── {text} {'─' * max(WIDTH - len(text) - 4, 2)}"


def cut_middle(lines: Sequence[str], most: int) -> list[str]:
    """At most `most` of the lines, and in place of the rest one that says how many they were."""
    if len(lines) <= most:
        return list(lines)
    head = (most + 1) // 2
    tail = most - head
    cut = len(lines) - head - tail
    return [*lines[:head], f"   … {cut} lines cut …", *lines[len(lines) - tail :]]


def memory_lines(report: ThreadReport) -> Iterator[str]:
    """The model behind it, the four slots, and the lorebook's titles."""
    yield from model_lines(report.models)
    for name, content in report.slots.items():
        yield heading(f"slot {name}")
        yield content or "(empty)"
    yield heading(f"lorebook, {len(report.lorebook)} entries")
    for entry in report.lorebook:
        yield f"  {entry.entry_id}  {entry.title}"


def model_lines(models: Sequence[str]) -> Iterator[str]:
    """Who wrote the memory, by the cycles' audit; a stand-in is called one."""
    if MODEL_NAME in models:
        yield (
            f"\nModel: {MODEL_NAME}. It is no language model: it picks and trims sentences of "
            "its input, so read the text below for its form, not for its wit."
        )
    real = [model for model in models if model != MODEL_NAME]
    if real:
        yield f"\nModel: {', '.join(real)}"


def prompt_lines(composed: Mapping[str, Any]) -> Iterator[str]:
    """A composed prompt: the system instruction, then the contents by role, long ones cut."""
    prompt = composed["prompt"]
    name = f"{prompt['name']} {prompt['version']} (sha256 {prompt['sha256'][:12]})"
    yield heading(f"composed prompt, {name}")
    yield f"model {composed['model']}, generation {composed['generation']}"
    yield heading("system_instruction")
    yield from cut_middle(composed["system_instruction"].split("\n"), PROMPT_LINES)
    yield heading("contents")
    yield from cut_middle(list(_content_lines(composed["contents"])), PROMPT_LINES)
    yield heading("tokens")
    yield ", ".join(f"{part} {count}" for part, count in composed["token_counts"].items())
    for omitted in composed["omitted"]:
        yield f"left out: {omitted['count']} of {omitted['what']} ({omitted['reason']})"


def _content_lines(contents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for content in contents:
        yield f"[{content['role']}]"
        for part in content["parts"]:
            text = part["text"] if "text" in part else part["file_data"]["file_uri"]
            yield from (f"  {line}" for line in text.split("\n"))


def verdict_lines(report: ThreadReport, name: str, *, with_lorebook: bool) -> Iterator[str]:
    """What does not add up, if anything; then the last line, with `lost`."""
    accounts = report.accounts
    for problem in accounts.problems:
        yield f"{name}: {problem}"
    last = (
        f"{len(report.lorebook)} lorebook entries"
        if with_lorebook
        else f"{accounts.pending_messages} pending"
    )
    yield (
        f"{name}: {accounts.stored} messages, {accounts.tokens} tokens, "
        f"{report.summary_cycles} cycles, {last}, {accounts.lost} lost"
    )
