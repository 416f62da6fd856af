"""The chosen summaries as the v4 prompt reads them: a block an episode."""

from collections.abc import Iterator, Mapping, Sequence

from shared.model.play import Play, PlaySummary
from shared.safety.dates import UNKNOWN_TIME
from shared.safety.evidence import Source
from shared.safety.fencing import neutralize, one_line
from shared.safety.redaction import redact
from shared.seeding.choose_plays import ChosenPlay
from shared.seeding.sampling import sample_summaries
from shared.text import cut_text

CUT = " …(생략)"


def episode_blocks(chosen: Sequence[ChosenPlay], *, max_characters: int) -> str:
    """The sampled summaries under `### 에피소드 N: <title>`, in order.

    The longest are cut so that all together stay within about `max_characters`.
    """
    lines: list[str] = []
    shown = ""
    for number, (play, _, summary) in enumerate(_sampled(chosen, max_characters), start=1):
        if play.play_id != shown:
            lines.append(f"### 에피소드 {play.episode_number}: {one_line(play.episode_title)}")
            shown = play.play_id
        lines.append(f"- {summary_label(number)} [{_when(summary)}] {summary.text}")
    return "\n".join(lines)


def episode_sources(chosen: Sequence[ChosenPlay], *, max_characters: int) -> tuple[Source, ...]:
    """The same summaries as the sources that the output is held against, masked."""
    return tuple(
        _source(number, f"{play.play_id}/{index}", summary)
        for number, (play, index, summary) in enumerate(_sampled(chosen, max_characters), start=1)
    )


def sources_again(
    refs: Sequence[str], stored: Mapping[str, PlaySummary], *, max_characters: int
) -> tuple[Source, ...]:
    """The sources that an earlier attempt put on record, each under the label it had then.

    What is no longer stored is left out.
    """
    there = [(number, ref) for number, ref in enumerate(refs, start=1) if ref in stored]
    fitted = _fitted([stored[ref] for _, ref in there], max_characters)
    return tuple(
        _source(number, ref, summary) for (number, ref), summary in zip(there, fitted, strict=True)
    )


def _source(number: int, ref: str, summary: PlaySummary) -> Source:
    return Source(
        source_id=summary_label(number),
        ref=ref,
        text=redact(summary.text).text,
        day=_when(summary),
    )


def _sampled(
    chosen: Sequence[ChosenPlay], max_characters: int
) -> Iterator[tuple[Play, int, PlaySummary]]:
    """The summaries that are read, in order, each with its play and index, on one line."""
    sampled = sample_summaries([len(one.summaries) for one in chosen])
    found = [(chosen[slot].play, chosen[slot].summaries[index]) for slot, index in sampled]
    fitted = _fitted([summary for _, summary in found], max_characters)
    for (play, summary), fit in zip(found, fitted, strict=True):
        yield play, summary.index, fit


def _fitted(summaries: Sequence[PlaySummary], max_characters: int) -> list[PlaySummary]:
    """Each on one line; the longest are cut so that all together fit."""
    limit = _fair_limit([len(one.text) for one in summaries], max_characters)
    return [
        one.model_copy(update={"text": cut_text(neutralize(one_line(one.text)), limit, CUT)})
        for one in summaries
    ]


def _when(summary: PlaySummary) -> str:
    return one_line(summary.occurred_at or "") or UNKNOWN_TIME


def summary_label(number: int) -> str:
    """What the model calls the `number`-th summary of a call."""
    return f"s{number}"


def _fair_limit(lengths: Sequence[int], total: int) -> int:
    """The length to cut at so that the sum fits `total`: the short leave room for the long."""
    room = total
    for position, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - position)
        if length > share:
            return share
        room -= length
    return max(lengths, default=0)
