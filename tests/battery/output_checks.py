"""What was stored of an output, judged without the reader that read it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from shared.model.lorebook import LorebookEntry
from shared.model.slots import Slots
from shared.ports import TokenCounter

MOST_TOKENS = 3_000
MOST_ENTRIES = 40
_SUB_HEADINGS = {"### Profile", "### How Soul sees the user"}
_FOREIGN = re.compile(r"={3,}|```|~~~|</?data |\|\s*\d\d:\d\d ", re.IGNORECASE)
_LTM = re.compile(r"- \[(Episode|Messenger) / [^/]\S*.* / .+ / .+\] .+")

_TIME = re.compile(r"^(\[[^/]*/(?:\".*?\"|[^/]*)/).*?/")
_IDS = re.compile(r"\([ms]\d+(?:,[ms]\d+)*\)\.?$")
_QUOTE = re.compile(r"[\"“”]")


def bad_apply(
    text: str,
    *,
    before: Slots,
    after: Slots,
    entries: Sequence[LorebookEntry],
    tokens: TokenCounter,
) -> list[str]:
    """Why what was stored is not what a good document would have left; empty when it is."""
    return [
        *_unclean(after),
        *_emptied(before, after),
        *_unfaithful(text, after, entries),
        *_oversized(after, entries, tokens),
    ]


def _unclean(after: Slots) -> Iterator[str]:
    for name, content in after:
        for line in content.splitlines():
            if line in _SUB_HEADINGS and name == "user_relational_persona":
                continue
            if not line.startswith("- ") or _FOREIGN.search(line[2:]):
                yield f"{name} holds a line that is no bullet of a memory"
                return
    for line in after.long_term_memory.splitlines():
        if not _LTM.fullmatch(line):
            yield "a long-term memory stands without its source, title and time"


def _emptied(before: Slots, after: Slots) -> Iterator[str]:
    for name, content in before:
        if content and not after.model_dump()[name]:
            yield f"{name} was emptied"
    if not after.recent_context:
        yield "there is no recent context"


def _unfaithful(text: str, after: Slots, entries: Sequence[LorebookEntry]) -> Iterator[str]:
    """Every bullet and event of the output is stored, in order, and nothing besides.

    But for what the chat does not bear out: a day that it does not know is stored as unknown, and
    an event with a quote that nobody said is left out.
    """
    memory, _, events = _plain(text).partition("===lorebook===")
    said = [_squeezed(one) for one in re.findall(r"^- (.*(?:\n  .*)*)", memory, re.MULTILINE)]
    stored = [
        _squeezed(line[2:])
        for content in (
            after.recent_context,
            after.long_term_memory,
            after.soul_relational_persona,
            after.user_relational_persona,
        )
        for line in _plain(content).splitlines()
        if line.startswith("- ")
    ]
    if [_undated(one) for one in said] != [_undated(one) for one in stored]:
        yield f"{len(said)} bullets were written, {len(stored)} stored, or others"
    titles, kept = _events(events), [_squeezed(one.title) for one in entries]
    borne_out = [title for title, quotes in titles if title in kept or not quotes]
    if borne_out != kept:
        yield f"{len(titles)} events were written, {len(entries)} stored, or others"
    known = _squeezed(events)
    if any(_squeezed(one.record) not in known for one in entries):
        yield "an event's record was not written so"


def _undated(text: str) -> str:
    """Without the ids that it names and the time in its brackets, which the chat may not know."""
    return _TIME.sub(r"\1?/", _IDS.sub("", text))


def _events(text: str) -> list[tuple[str, bool]]:
    """The titles of the events, and whether each quotes somebody."""
    parts = re.split(r"^\s*###", text, flags=re.MULTILINE)[1:]
    return [(_squeezed(part.split("\n")[0]), bool(_QUOTE.search(part))) for part in parts]


def _oversized(
    after: Slots, entries: Sequence[LorebookEntry], tokens: TokenCounter
) -> Iterator[str]:
    for name, content in after:
        if tokens.count(content) > MOST_TOKENS:
            yield f"{name} is too long to be kept"
    if len(entries) > MOST_ENTRIES:
        yield f"{len(entries)} events at once"


def _plain(text: str) -> str:
    """Composed, lower case, one kind of line end, delimiters without blanks."""
    composed = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    lines = composed.replace("\r\n", "\n").replace("\r", "\n").lower().split("\n")
    bare = (re.sub(r"\s", "", line) if "===" in line else line.rstrip() for line in lines)
    return "\n".join(bare)


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text.lower())
