"""No label rises, and nothing open is settled, unless a source of this cycle states it.

PRD §4.5 (no promotion without evidence), §5.3 (what is unresolved stays so), §7.4, §7.5.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from shared.model.thread import Role
from shared.safety.comparable import comparable, likeness
from shared.safety.evidence import Source
from shared.safety.label_facts import Fact, facts, narrated
from shared.safety.labels import COUPLE, FLOOR, PARTED, Ladder
from shared.safety.quotes import Names
from shared.safety.resolution import Resolutions
from shared.safety.stated import Stated

Rise = Literal["promotion", "resolution"]

MIN_DESCENT = 0.5
MIN_PARAPHRASE = 0.8
MIN_LETTERS = 12
_BOTH: tuple[Role, ...] = ("user", "soul")
_AGAIN = re.compile(r"다시\s?(?:만나|사귀|사귄|연인|시작|합)|재결합|\bback together\b")


class Promotions:
    """Old memory against new lines: what was called what, what was open, what sources state."""

    def __init__(self, sources: Sequence[Source], *, names: Names, before: Sequence[str]) -> None:
        self._names = names
        self._stated = Stated(sources, names)
        self._before = [(line, self._facts_of(line)) for line in before]
        self._ranks = _ranks(self._before, names)
        self._resolutions = Resolutions(before, names)

    def judge(self, line: str) -> Rise | None:
        """What a new line would raise without a source that states it, if anything."""
        if any(self._is_unstated_rise(fact) for fact in self._facts_of(line)):
            return "promotion"
        return "resolution" if self._resolutions.is_unstated(line, self._stated) else None

    def older_form(self, line: str, rise: Rise, candidates: Sequence[str]) -> str | None:
        """The old line that the new one descends from: the likest that held the lower label."""
        if rise == "promotion":
            ladders = {fact.ladder for fact in self._facts_of(line)}
            holding = [old for old in candidates if ladders & self._ladders_of(old)]
        else:
            holding = [old for old in candidates if self._resolutions.is_open(old)]
        return likest(line, holding) or descent(line, candidates)

    def _ladders_of(self, line: str) -> set[Ladder]:
        """The kinds of label that a line holds, whatever it says of them."""
        return {fact.ladder for fact in facts(narrated(line), self._names)}

    def _facts_of(self, line: str) -> list[Fact]:
        return [one for one in facts(narrated(line), self._names) if one.mood == "stated"]

    def _is_unstated_rise(self, fact: Fact) -> bool:
        known = [one for one in self._stated_of(fact.ladder) if one.rank >= fact.rank]
        if fact.ladder == "relationship":
            return fact.rank > self._ranks["relationship", "user"] and not known
        if not fact.holders:
            highest = max(self._ranks["feeling", role] for role in _BOTH)
            return fact.rank > highest and not known
        return any(
            fact.rank > self._ranks["feeling", role]
            and not any(not one.holders or role in one.holders for one in known)
            for role in fact.holders
        )

    def _stated_of(self, ladder: Ladder) -> list[Fact]:
        return [one for one in self._stated.facts if one.ladder == ladder]


def likest(line: str, candidates: Iterable[str], least: float = 0.0) -> str | None:
    """The candidate most like `line`, if one is like it at least so much."""
    ranked = sorted(candidates, key=lambda old: likeness(old, line), reverse=True)
    return ranked[0] if ranked and likeness(ranked[0], line) >= least else None


def descent(line: str, candidates: Iterable[str]) -> str | None:
    """The old line that `line` is a new wording of, if it is one."""
    return likest(line, candidates, MIN_DESCENT)


def is_of_persona(line: str, persona: str) -> bool:
    """Whether a line repeats or paraphrases the director's Default persona (PRD §4.2, §4.3)."""
    if len(comparable(line)) < MIN_LETTERS:
        return False
    parts = [part for whole in persona.splitlines() for part in (whole, *re.split(r"[.!?]", whole))]
    return any(
        len(comparable(part)) >= MIN_LETTERS and likeness(part, line) >= MIN_PARAPHRASE
        for part in parts
    )


def _ranks(
    before: Sequence[tuple[str, list[Fact]]], names: Names
) -> dict[tuple[Ladder, Role], int]:
    """How high memory stands before, of the two and of each one's feeling."""
    ranks: dict[tuple[Ladder, Role], int] = {}
    known = [fact for _, found in before for fact in found]
    quoted = [fact for line, _ in before for fact in facts(line, names) if fact.mood == "stated"]
    for role in _BOTH:
        felt = [
            one.rank
            for one in (*known, *quoted)
            if one.ladder == "feeling" and (not one.holders or role in one.holders)
        ]
        ranks["feeling", role] = max([FLOOR["feeling"], *felt])
        ranks["relationship", role] = _relationship(before, known)
    return ranks


def _relationship(before: Sequence[tuple[str, list[Fact]]], known: Sequence[Fact]) -> int:
    """The highest label; once the two have parted, what made them a couple no longer counts."""
    ranks = [one.rank for one in known if one.ladder == "relationship"]
    parted = any(
        one.ladder == "relationship" and one.rank == PARTED and not _AGAIN.search(line)
        for line, found in before
        for one in found
    )
    if parted and not any(_AGAIN.search(line) for line, _ in before):
        ranks = [rank for rank in ranks if rank < COUPLE]
    return max([FLOOR["relationship"], *ranks])
