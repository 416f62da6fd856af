"""The lorebook's part of a prompt: what belongs in this turn, within its budget (PRD §4.10)."""

import re
import unicodedata
from collections.abc import Callable, Sequence

from shared.model.base import Frozen
from shared.model.lorebook import LorebookEntry
from shared.model.thread import Message
from shared.ports import TokenCounter
from shared.recall.index import RecallIndex
from shared.recall.query import Explained, Outcome, Query
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings
from shared.recall.semantic import Semantic
from shared.safety.fencing import neutralize, one_line
from shared.safety.masking import mask
from shared.turns import turns

MAX_RECENT = 3
_QUOTE = re.compile(r"[\"“]([^\"”]{4,})[\"”]")
_NO_LETTER = re.compile(r"[\W_]+")
_MARKS = {
    "soul-only": "(inner knowledge, never said to {user}) ",
    "belief": "(somebody's belief, not a fact) ",
}


class RecallBlock(Frozen):
    """The entries that go into the prompt, the oldest event first; and what became of the rest.

    `turn` is what the user said, which all of it was recalled for.
    """

    turn: str = ""
    entry_ids: tuple[str, ...] = ()
    text: str = ""
    over_budget: int = 0
    explained: tuple[Explained, ...] = ()
    semantic_off: str = ""


def query_of(window: Sequence[Message], turn: int) -> Query:
    """The user's current turn, and the messages behind it, the latest first."""
    grouped = turns(window)
    while grouped and grouped[-1][0].role != "user":
        grouped.pop()
    if not grouped:
        return Query(text="", turn=turn)
    current = grouped.pop()
    behind = [one.text for group in grouped for one in group if one.text][-MAX_RECENT:]
    return Query(
        text="\n".join(message.text for message in current), recent=tuple(behind[::-1]), turn=turn
    )


def recall_block(
    query: Query,
    index: RecallIndex,
    *,
    read: Callable[[Sequence[str]], Sequence[LorebookEntry]],
    standing: Sequence[str],
    semantic: Semantic | None,
    budget: int,
    tokens: TokenCounter,
    settings: RecallSettings,
) -> RecallBlock:
    """Recall, read the chosen entries, and fit them into `budget` tokens.

    The best have the first claim; one that does not fit is skipped and the next is tried. What
    already stands in `standing` (long-term memory, the live window) is not said again.
    """
    if not query.text.strip():
        return RecallBlock(turn=query.text)
    found = recall(query, index, settings=settings, semantic=semantic)
    outcomes = {one.entry_id: one for one in found.explained}
    by_id = {entry.entry_id: entry for entry in read(found.entry_ids)} if found.entry_ids else {}
    known = _compact("\n".join(standing))
    chosen: list[LorebookEntry] = []
    over_budget = 0
    for name in found.entry_ids:
        entry = by_id.get(name)
        if entry is None:
            continue
        cost = tokens.count(entry_line(entry)) + 1
        outcome = Outcome.STANDS_ALREADY if _stands(entry, known) else Outcome.OVER_BUDGET
        if outcome is Outcome.OVER_BUDGET and cost <= budget:
            budget -= cost
            chosen.append(entry)
            continue
        over_budget += outcome is Outcome.OVER_BUDGET
        if name in outcomes:
            outcomes[name] = outcomes[name].model_copy(update={"outcome": outcome})
    chosen.sort(key=lambda one: one.entry_id)
    return RecallBlock(
        turn=query.text,
        entry_ids=tuple(entry.entry_id for entry in chosen),
        text="\n".join(entry_line(entry) for entry in chosen),
        over_budget=over_budget,
        explained=tuple(outcomes.values()),
        semantic_off=found.semantic_off,
    )


def entry_line(entry: LorebookEntry) -> str:
    """One event on one line: when, what, and how it went; marked where it is no open fact."""
    mark = _MARKS.get(entry.secrecy, "") + (_MARKS["belief"] if entry.kind == "belief" else "")
    text = f"[{entry.occurred_at}] {mark}{entry.title}: {entry.record}"
    return f"- {neutralize(mask(one_line(text)).text)}"


def _stands(entry: LorebookEntry, known: str) -> bool:
    """Whether its record, or every quote in it, can be read in the prompt already."""
    if _compact(entry.record) in known:
        return True
    quotes = [_compact(quote) for quote in _QUOTE.findall(entry.record)]
    return bool(quotes) and all(quote in known for quote in quotes)


def _compact(text: str) -> str:
    return _NO_LETTER.sub("", unicodedata.normalize("NFKC", text)).casefold()
