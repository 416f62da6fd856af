"""The chosen summaries as the v4 prompt reads them: a block an episode."""

from collections.abc import Sequence

from shared.model.play import PlaySummary
from shared.safety.fencing import neutralize, one_line
from shared.seeding.choose_plays import ChosenPlay
from shared.seeding.sampling import sample_summaries
from shared.text import cut_text

UNKNOWN_TIME = "(시간 불명)"
CUT = " …(생략)"


def episode_blocks(chosen: Sequence[ChosenPlay], *, max_characters: int) -> str:
    """The sampled summaries under `### 에피소드 N: <title>`, in order.

    The longest are cut so that all together stay within about `max_characters`.
    """
    sampled = sample_summaries([len(one.summaries) for one in chosen])
    texts = [chosen[slot].summaries[index].text for slot, index in sampled]
    limit = _fair_limit([len(text) for text in texts], max_characters)
    lines: list[str] = []
    shown = -1
    for number, (slot, index) in enumerate(sampled, start=1):
        if slot != shown:
            play = chosen[slot].play
            lines.append(f"### 에피소드 {play.episode_number}: {one_line(play.episode_title)}")
            shown = slot
        lines.append(_line(chosen[slot].summaries[index], number, limit))
    return "\n".join(lines)


def _line(summary: PlaySummary, number: int, limit: int) -> str:
    when = one_line(summary.occurred_at or "") or UNKNOWN_TIME
    text = cut_text(neutralize(one_line(summary.text)), limit, CUT)
    return f"- {summary_label(number)} [{when}] {text}"


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
