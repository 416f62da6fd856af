"""Hostile inputs: nothing crashes, nothing splits a prompt, nothing gives orders."""

import re
from collections.abc import Iterable

from shared.composing.composed import ComposedPrompt
from shared.model.generation import ModelRequest
from tests.safety import hostile_texts
from tests.safety.figures import Figure, at_least, none_of
from tests.safety.hostile_run import PLAIN, Seen, run
from tests.safety.prompt_blocks import as_read, parse

_STAMP = re.compile(r"\[\d{4}-\d\d-\d\d \(.\) \d\d:\d\d\] ?")
_NONCE = re.compile(r"\bnonce\d+\b")
INERT = ("{{ soul_default_persona }}", "{% block system %}")
CHAT_LINES = {"", "# Live Chat History", "# Initial/Recent Context", "# Lorebook"}
OWN_HEADINGS = {
    "## Long-term memory(LTM)",
    "### Relational (Self within this relationship)",
    "## User persona",
    "### Profile",
    "### How Soul sees the user",
}


def measure() -> list[Figure]:
    sources = {
        "hostile_naughty_strings": (hostile_texts.naughty_strings(), 485),
        "hostile_forged": (hostile_texts.forged(), 200),
        "hostile_generated": (hostile_texts.generated(), 200),
    }
    texts = [text for many, _ in sources.values() for text in many if text]
    counts = [at_least(name, len(many), least) for name, (many, least) in sources.items()]
    return [*counts, *figures_of(texts)]


def figures_of(texts: Iterable[str]) -> list[Figure]:
    """Crashes, forged splits and text in the wrong place, over all `texts`."""
    plain = run(PLAIN)
    crashes: list[str] = []
    splits: list[str] = []
    misplaced: list[str] = []
    for text in texts:
        try:
            seen = run(text)
        except Exception as error:  # any crash at all is what is counted
            crashes.append(f"{type(error).__name__} at {text!r}")
            continue
        splits += [f"{fault} in {text!r}" for fault in split_faults(seen)]
        misplaced += [f"{fault} in {text!r}" for fault in misplacements(seen, plain)]
    return [
        none_of("hostile_crashes", crashes),
        none_of("hostile_forged_splits", splits),
        none_of("hostile_text_out_of_place", misplaced),
    ]


def split_faults(seen: Seen) -> list[str]:
    """Forged tags, delimiters and headings in memory prompts; unstamped lines in the chat's."""
    faults = [fault for request in seen.requests for fault in parse(request).faults]
    return [*faults, *_chat_faults(seen.first), *_chat_faults(seen.last)]


def _chat_faults(prompt: ComposedPrompt) -> list[str]:
    faults = []
    texts = [part.text for content in prompt.contents for part in content.parts]
    for line in "\n".join(texts[1:]).splitlines():
        if line and not _STAMP.match(line) and not line.startswith("# Now"):
            faults.append("a line of the chat without its stamp")
    for line in texts[0].splitlines():
        if as_read(line).lstrip().startswith("#") and line not in CHAT_LINES:
            faults.append("a heading in the context")
    return faults


def misplacements(seen: Seen, plain: Seen) -> list[str]:
    """What differs from the prompts of a plain text, outside of the data."""
    faults = []
    ours = {_own_words(request) for request in plain.requests}
    if any(_own_words(request) not in ours for request in seen.requests):
        faults.append("a memory prompt's own words differ")
    if seen.first.system_instruction != plain.first.system_instruction:
        faults.append("the chat's system text differs")
    if _headings(seen.last) - OWN_HEADINGS - _headings(plain.last):
        faults.append("a forged heading in the chat's system text")
    for mark in INERT:
        if mark in seen.text and not any(mark in request.user for request in seen.requests):
            faults.append(f"{mark} was not kept as it is")
    return faults


def _own_words(request: ModelRequest) -> str:
    """System text, and what stands outside of the data; titles and nonces aside."""
    outside = [line for line in parse(request).outside if not line.startswith("Episode title: ")]
    return _NONCE.sub("nonce", "\n".join([request.system, *(line for line in outside if line)]))


def _headings(prompt: ComposedPrompt) -> set[str]:
    lines = prompt.system_instruction.splitlines()
    return {line for line in lines if as_read(line).lstrip().startswith("#")}
