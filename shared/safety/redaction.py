"""Secrets out of a text before it becomes memory, a prompt or an audit."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from shared.errors import SoulMemoryError
from shared.safety.redaction_accounts import find_bank_accounts
from shared.safety.redaction_contacts import find_account_ids, find_emails, find_phones
from shared.safety.redaction_form import MatchingForm, matching_form
from shared.safety.redaction_identity import (
    find_cards,
    find_driver_licenses,
    find_passports,
    find_resident_numbers,
)
from shared.safety.redaction_keys import find_api_keys, find_jwts, find_private_keys
from shared.safety.redaction_passwords import find_passwords
from shared.safety.redaction_spans import MASK, Kind, Span

REDACTED = "[REDACTED]"
# A round can uncover only what the words removed by the round before had kept back.
_MAX_ROUNDS = 8

# Where two overlap, the kind that `Kind` lists first names the finding.
_PRECEDENCE: dict[Kind, int] = {kind: rank for rank, kind in enumerate(get_args(Kind))}
_DETECTORS: tuple[Callable[[str], Iterator[Span]], ...] = (
    find_private_keys,
    find_jwts,
    find_api_keys,
    find_emails,
    find_resident_numbers,
    find_driver_licenses,
    find_cards,
    find_phones,
    find_passports,
    find_bank_accounts,
    find_passwords,
    find_account_ids,
)


class RedactionError(SoulMemoryError):
    """The text could not be made safe: drop it, never store it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret at [start, end) of the input, in code points."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text with `[REDACTED]` for every finding; the findings in order, none overlapping."""

    text: str
    findings: tuple[Finding, ...]


def redact(text: str) -> Redacted:
    """Replace every secret of `text` by `[REDACTED]` (PRD §6.4, §7 rule 7).

    Idempotent, linear in the length; a text without findings comes back as it is.
    Fails closed: whatever goes wrong raises, among it RedactionError, and nothing is returned.
    """
    form = matching_form(text)
    masked = form.text.replace(REDACTED, MASK * len(REDACTED))
    spans: list[Span] = []
    for _ in range(_MAX_ROUNDS):
        found = [_snap(span, form) for detect in _DETECTORS for span in detect(masked)]
        if not found:
            findings = tuple(_in_input(span, form) for span in spans)
            return Redacted(_cut(text, findings), findings)
        spans = _merge([*spans, *found])
        masked = _mask(masked, spans)
    raise RedactionError(f"still finding secrets after {_MAX_ROUNDS} rounds")


def _snap(span: Span, form: MatchingForm) -> Span:
    """Widen to whole input characters: ⑴ is three characters of the form."""
    start, end = span.start, span.end
    while start and form.starts[start - 1] == form.starts[start]:
        start -= 1
    while end < len(form.text) and form.starts[end] == form.starts[end - 1]:
        end += 1
    return Span(span.kind, start, end)


def _merge(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start < merged[-1].end:
            kind = min(merged[-1].kind, span.kind, key=_PRECEDENCE.__getitem__)
            merged[-1] = Span(kind, merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _mask(text: str, spans: Iterable[Span]) -> str:
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces += text[done : span.start], MASK * (span.end - span.start)
        done = span.end
    return "".join([*pieces, text[done:]])


def _in_input(span: Span, form: MatchingForm) -> Finding:
    return Finding(span.kind, form.starts[span.start], form.ends[span.end - 1])


def _cut(text: str, findings: Iterable[Finding]) -> str:
    pieces: list[str] = []
    done = 0
    for finding in findings:
        pieces += text[done : finding.start], REDACTED
        done = finding.end
    return "".join([*pieces, text[done:]])
