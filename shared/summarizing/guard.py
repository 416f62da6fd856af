"""What a document that reads well may still not do to the memory that is there.

Stands beside the reader (`memory_document`), which judges the form; this judges the change.
"""

import re
from collections.abc import Iterable

from shared.errors import ModelOutputError
from shared.model.cycle import Rejection
from shared.model.slots import SLOT_NAMES, SlotName, Slots
from shared.ports import TokenCounter
from shared.summarizing.memory_document import MemoryOutput, SummaryOutput

MAX_TOKENS: dict[SlotName, int] = {
    "long_term_memory": 3_000,
    "soul_relational_persona": 1_200,
    "user_relational_persona": 1_200,
    "recent_context": 1_200,
}
MAX_ENTRIES = 40
MAX_KEYWORDS = 12
MAX_CHARACTERS = {"title": 120, "keyword": 60, "when": 60, "record": 2_000}
SUDDEN_LOSS = "long-term memory loses most of its bullets at once"
KEPT_SHARE = 0.4
MIN_ECHO = 40
_EXAMPLE_IDS = re.compile(r"\s*\([ms]\d+(?:, [ms]\d+)*\)$")
_FENCE_TAG = re.compile(r"</?data \w+|^\| |```", re.MULTILINE)


def guard(
    output: MemoryOutput,
    *,
    before: Slots,
    rejections: tuple[Rejection, ...],
    prompt_body: str,
    tokens: TokenCounter,
) -> None:
    """Refuse an output that would grow, empty or empty out memory, or repeats its prompt.

    A long-term memory that loses more than 60 % of its bullets is refused once: the same
    verdict on the next output is believed. Raises ModelOutputError, which names the rule and
    never the text. Sizes are in tokens by slot, and in characters for the lorebook.
    """
    after = output.as_slots()
    _check_echo(output, prompt_body)
    _check_sizes(after, tokens)
    if isinstance(output, SummaryOutput):
        _check_lorebook(output)
    _check_emptied(before, after, with_recent=isinstance(output, SummaryOutput))
    suspected_before = bool(rejections) and rejections[-1].failure.reason == SUDDEN_LOSS
    if not suspected_before and _loses_most(before.long_term_memory, output.ltm):
        raise ModelOutputError(SUDDEN_LOSS)


def _check_sizes(after: Slots, tokens: TokenCounter) -> None:
    for name in SLOT_NAMES:
        if tokens.count(after.of(name)) > MAX_TOKENS[name]:
            raise ModelOutputError(f"{name} is longer than {MAX_TOKENS[name]} tokens")


def _check_lorebook(output: SummaryOutput) -> None:
    if len(output.lorebook) > MAX_ENTRIES:
        raise ModelOutputError(f"more than {MAX_ENTRIES} lorebook entries")
    for entry in output.lorebook:
        if len(entry.keywords) > MAX_KEYWORDS:
            raise ModelOutputError(f"a lorebook entry has more than {MAX_KEYWORDS} keywords")
        sizes = {
            "title": len(entry.title),
            "keyword": max(len(word) for word in entry.keywords),
            "when": len(entry.when),
            "record": len(entry.record),
        }
        for part, size in sizes.items():
            if size > MAX_CHARACTERS[part]:
                limit = MAX_CHARACTERS[part]
                raise ModelOutputError(f"a lorebook {part} is longer than {limit} characters")


def _check_emptied(before: Slots, after: Slots, *, with_recent: bool) -> None:
    for name in SLOT_NAMES:
        if name == "recent_context" and not with_recent:
            continue
        if before.of(name).strip() and not after.of(name).strip():
            raise ModelOutputError(f"{name} would be emptied")


def _loses_most(before: str, after: list[str]) -> bool:
    had = sum(line.startswith("- ") for line in before.splitlines())
    return len(after) < had * KEPT_SHARE


def _check_echo(output: MemoryOutput, prompt_body: str) -> None:
    """The prompt's own sentences, its fences or a code fence have no place in memory."""
    own = {
        _EXAMPLE_IDS.sub("", line.strip().lstrip("-#0123456789. "))
        for line in prompt_body.splitlines()
    }
    for text in _texts(output):
        echoes = any(len(line) >= MIN_ECHO and line in text for line in own)
        if echoes or _FENCE_TAG.search(text):
            raise ModelOutputError("the output repeats its prompt")


def _texts(output: MemoryOutput) -> Iterable[str]:
    yield from (*output.recent, *output.ltm, *output.relational, *output.profile, *output.how)
    if isinstance(output, SummaryOutput):
        for entry in output.lorebook:
            yield from (entry.title, *entry.keywords, entry.record)
