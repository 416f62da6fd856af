"""Whether a line of memory rests on what was said (PRD §4.5, §5.3): by code, not by a prompt."""

from collections.abc import Iterable, Iterator, Sequence

from shared.model.base import Frozen
from shared.model.evidence import Verdict
from shared.model.thread import Role
from shared.safety.comparable import comparable, pieces, stand_in
from shared.safety.dates import UNKNOWN_TIME, dates_in, is_one_of
from shared.safety.quotes import Names, spoken

REFUSED: frozenset[Verdict] = frozenset(
    {
        "unknown_source",
        "quote_not_found",
        "wrong_speaker",
        "name_unknown",
        "promotion",
        "resolution",
    }
)


class Source(Frozen):
    """One message or summary as the model read it: masked, and under a short id of the call.

    `ref` is where it is stored; a summary has no `role`; `day` is its day line or its time.
    """

    source_id: str
    ref: str
    role: Role | None = None
    text: str
    day: str = ""


class Claim(Frozen):
    """What is judged of a line: its text without the title of an episode, and its sources."""

    text: str
    ids: tuple[str, ...] = ()
    when: str = UNKNOWN_TIME
    needs_source: bool = True


class Evidence:
    """All that one call may rest on: its sources, and the memory before."""

    def __init__(self, sources: Sequence[Source], *, soul_name: str, before: Iterable[str]) -> None:
        self.sources = tuple(sources)
        self.names = Names(soul_name)
        self.before = tuple(before)
        self._by_id = {source.source_id: source for source in sources}
        self._before = [comparable(line) for line in self.before]
        self._brackets = [line.partition("] ")[0] for line in self.before if line[:1] == "["]
        self._texts = [comparable(source.text) for source in sources]

    def judge(self, claim: Claim) -> Verdict:
        """The first thing that is wrong with the claim, the gravest first; else `supported`."""
        if any(source_id not in self._by_id for source_id in claim.ids):
            return "unknown_source"
        named = set(claim.ids) or self._by_id.keys()
        for quote, speakers in spoken(claim.text, self.names):
            verdict = self._judge_quote(pieces(quote.words), speakers, named)
            if verdict != "supported":
                return verdict
        if not self.knows_day(claim.when, claim.ids):
            return "date_unknown"
        return "no_source" if claim.needs_source and not claim.ids else "supported"

    def refs(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Where the named sources are stored, so that the original lines stay reachable."""
        return tuple(self._by_id[one].ref for one in ids if one in self._by_id)

    def mentions(self, name: str) -> bool:
        """Whether a name occurs in the sources or in the memory before."""
        wanted = comparable(name)
        return any(wanted in text for text in (*self._texts, *self._before))

    def _judge_quote(
        self, parts: Sequence[str], speakers: frozenset[Role], named: Iterable[str]
    ) -> Verdict:
        """The words must stand where they are said to, and be that speaker's."""
        said_by = list(self._where_said(parts, set(named)))
        if not said_by and parts:
            return "quote_not_found"
        fits = not parts or not speakers or any(not roles or roles & speakers for roles in said_by)
        return "supported" if fits else "wrong_speaker"

    def _where_said(self, parts: Sequence[str], named: set[str]) -> Iterator[frozenset[Role]]:
        """Of each place where the words stand: who spoke them, as far as it is known."""
        for role, text, run in self._turns(named):
            if stand_in(parts, text):
                yield frozenset({role}) if role else self._told_of(parts, run)
        for line, text in zip(self.before, self._before, strict=True):
            if stand_in(parts, text):
                yield self._told_of(parts, line)

    def _turns(self, named: set[str]) -> Iterator[tuple[Role | None, str, str]]:
        """The named sources as texts; neighbours of one speaker are one, as words run on."""
        run: list[int] = []
        for index, source in enumerate(self.sources):
            if source.source_id not in named:
                continue
            follows = bool(run) and run[-1] == index - 1
            if run and not (follows and source.role and self.sources[run[-1]].role == source.role):
                yield self._joined(run)
                run = []
            run.append(index)
        if run:
            yield self._joined(run)

    def _joined(self, run: Sequence[int]) -> tuple[Role | None, str, str]:
        text = "".join(self._texts[index] for index in run)
        return self.sources[run[0]].role, text, self.sources[run[0]].text

    def _told_of(self, parts: Sequence[str], line: str) -> frozenset[Role]:
        """Who is told to have spoken the words in a line of narration; empty: it does not say."""
        for quote, speakers in spoken(line, self.names):
            if stand_in(parts, comparable(quote.words)):
                return speakers
        return frozenset()

    def knows_day(self, when: str, ids: Iterable[str]) -> bool:
        """Whether a time is one of the named sources', or stands in the memory before."""
        named = set(ids) or self._by_id.keys()
        wanted = comparable(when)
        if not wanted or wanted == comparable(UNKNOWN_TIME):
            return True
        if any(wanted in comparable(bracket) for bracket in self._brackets):
            return True
        known = [
            self._by_id[one].day + ("" if self._by_id[one].role else "\n" + self._by_id[one].text)
            for one in named
        ]
        dates = dates_in(when)
        if dates:
            days = {date for text in known for date in dates_in(text)}
            return all(is_one_of(date, days) for date in dates)
        return any(wanted in comparable(text) for text in known)
