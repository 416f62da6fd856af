"""The chosen summaries as the v4 prompt reads them: a block an episode."""

from collections.abc import Iterator, Sequence

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
        Source(
            source_id=summary_label(number),
            ref=f"{play.play_id}/{index}",
            text=redact(summary.text).text,
            day=_when(summary),
        )
        for number, (play, index, summary) in enumerate(_sampled(chosen, max_characters), start=1)
    )


def _sampled(
    chosen: Sequence[ChosenPlay], max_characters: int
) -> Iterator[tuple[Play, int, PlaySummary]]:
    """The summaries that are read, in order, each with its play and index, on one line."""
    sampled = sample_summaries([len(one.summaries) for one in chosen])
    found = [(chosen[slot].play, chosen[slot].summaries[index]) for slot, index in sampled]
    limit = _fair_limit([len(summary.text) for _, summary in found], max_characters)
    for play, summary in found:
        text = cut_text(neutralize(one_line(summary.text)), limit, CUT)
        yield play, summary.index, summary.model_copy(update={"text": text})


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
