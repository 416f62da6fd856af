"""What of the lorebook belongs in this turn (PRD §4.10)."""

from collections.abc import Sequence

from shared.model.base import Frozen
from shared.model.lorebook import LorebookEntry
from shared.ports import TokenCounter
from shared.recall.keywords import find_keywords
from shared.safety.fencing import neutralize, one_line
from shared.safety.masking import mask


class Recalled(Frozen):
    """The entries that go into the prompt, oldest first, as text; and how many had no room."""

    entry_ids: tuple[str, ...] = ()
    text: str = ""
    omitted: int = 0


def recall_entries(
    texts: Sequence[str],
    entries: Sequence[LorebookEntry],
    *,
    budget: int,
    tokens: TokenCounter,
) -> Recalled:
    """Entries of which a keyword stands in `texts`, the last messages of the window.

    The newest have the first claim on `budget` tokens; one that does not fit is skipped.
    """
    called = set(
        find_keywords("\n".join(texts), {word for entry in entries for word in entry.keywords})
    )
    triggered = [entry for entry in entries if called.intersection(entry.keywords)]
    chosen: list[LorebookEntry] = []
    for entry in sorted(triggered, key=lambda one: one.entry_id, reverse=True):
        cost = tokens.count(entry_line(entry)) + 1
        if cost <= budget:
            budget -= cost
            chosen.append(entry)
    chosen.sort(key=lambda one: one.entry_id)
    return Recalled(
        entry_ids=tuple(entry.entry_id for entry in chosen),
        text="\n".join(entry_line(entry) for entry in chosen),
        omitted=len(triggered) - len(chosen),
    )


def entry_line(entry: LorebookEntry) -> str:
    """One event on one line, its secrets masked: when, what, and how it went."""
    text = f"[{entry.occurred_at}] {entry.title}: {entry.record}"
    return f"- {neutralize(mask(one_line(text)).text)}"
