"""Which summaries of the chosen plays a first memory is made from (PRD §5.0)."""

from collections.abc import Sequence


def sample_summaries(
    counts: Sequence[int], per_slot: int = 3, max_total: int = 50
) -> list[tuple[int, int]]:
    """Choose from `counts[s]` summaries in slot s; a slot is one selected play.

    Answers (slot, index) pairs in order. Each slot gives its first, its last and those evenly
    between, `per_slot` at most. Where that makes more than `max_total`, the whole ordered list
    of summaries is sampled evenly instead. The first and the last of all are always among
    them. Source: PRD §5.0, summary sampling.

    >>> sample_summaries([5, 1])
    [(0, 0), (0, 2), (0, 4), (1, 0)]
    """
    everything = [(slot, index) for slot, count in enumerate(counts) for index in range(count)]
    if not everything or max_total < 1 or per_slot < 1:
        return []
    picked = [
        (slot, index) for slot, count in enumerate(counts) for index in evenly(count, per_slot)
    ]
    ends = {everything[0], everything[-1]}
    picked = sorted({*picked, *ends})
    if len(picked) <= max_total:
        return picked
    return [everything[position] for position in evenly(len(everything), max_total)]


def evenly(count: int, wanted: int) -> list[int]:
    """At most `wanted` of the positions 0..count-1, first and last kept; one alone is the last."""
    if count <= wanted:
        return list(range(count))
    if wanted == 1:
        return [count - 1]
    return [step * (count - 1) // (wanted - 1) for step in range(wanted)]
