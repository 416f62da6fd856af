"""What memory rests on, as the audit of a cycle keeps it (PRD §4.5, §5.3)."""

from typing import Literal

from shared.model.base import Stored

Verdict = Literal[
    "supported",
    "carried",
    "no_source",
    "unknown_source",
    "quote_not_found",
    "wrong_speaker",
    "date_unknown",
    "name_unknown",
    "name_left_out",
    "promotion",
    "resolution",
    "default_persona",
]


class EvidenceRow(Stored):
    """One line of an output, judged. `slot` is a slot's name or `lorebook`.

    `sources` are ids of messages, or `play_id/index` of summaries. A line that was refused is
    no part of memory: it stands here alone.
    """

    slot: str
    line: str
    sources: tuple[str, ...] = ()
    verdict: Verdict
