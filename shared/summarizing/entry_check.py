"""Lorebook entries against what they were made from (PRD §4.10, §5.3, §7)."""

from collections.abc import Callable, Iterator, Sequence

from shared.model.evidence import Verdict
from shared.safety.comparable import comparable
from shared.safety.dates import UNKNOWN_TIME
from shared.safety.evidence import REFUSED, Claim, Evidence
from shared.safety.promotion import Promotions
from shared.safety.proper_names import unheard_names
from shared.safety.quotes import quotes_in
from shared.summarizing.lorebook_document import LorebookOutput

Report = Callable[[str, str, tuple[str, ...], Verdict], None]


class EntryCheck:
    """Judges the new entries of one call; `report` is told of each."""

    def __init__(self, evidence: Evidence, promotions: Promotions, report: Report) -> None:
        self._evidence = evidence
        self._promotions = promotions
        self._report = report

    def check(self, entries: Sequence[LorebookOutput]) -> list[LorebookOutput]:
        """The entries that may be stored, without a time or a name that nothing states."""
        return [kept for entry in entries for kept in self._checked(entry.without_ids())]

    def _checked(self, entry: LorebookOutput) -> Iterator[LorebookOutput]:
        text = f"{entry.title}. {entry.record}"
        ids = tuple(entry.sources)
        unheard = unheard_names(entry.people, entry.keywords, text, self._evidence)
        verdict = self._evidence.judge(Claim(text=text, ids=ids, when=entry.when))
        if verdict not in REFUSED:
            asserted = entry.record if is_quoted(entry.title, entry.record) else text
            verdict = self._promotions.judge(asserted) or _of_names(unheard, text) or verdict
        self._report("lorebook", text, self._evidence.refs(ids), verdict)
        if verdict not in REFUSED:
            when = entry.when if self._evidence.knows_day(entry.when, ids) else UNKNOWN_TIME
            yield _without(entry.model_copy(update={"when": when}), unheard)


def is_quoted(title: str, text: str) -> bool:
    """Whether a title is words that are quoted in its text: it claims no more than the quote."""
    wanted = comparable(title)
    return any(wanted in comparable(quote.words) for quote in quotes_in(text))


def _of_names(unheard: Sequence[str], text: str) -> Verdict | None:
    """An entry that tells of somebody unheard of is refused; else the name alone goes."""
    if not unheard:
        return None
    told = any(comparable(name) in comparable(text) for name in unheard)
    return "name_unknown" if told else "name_left_out"


def _without(entry: LorebookOutput, names: Sequence[str]) -> LorebookOutput:
    """The entry without `names`; one keyword stays, so that it can be found again."""
    if not names:
        return entry
    keywords = [word for word in entry.keywords if word not in names] or [entry.title]
    people = [name for name in entry.people if name not in names]
    return entry.model_copy(update={"keywords": keywords, "people": people})
