"""An entry with those before and after it: what is told next to something belongs to it."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from operator import sub

from shared.recall.postings import Posting

# A gram is rare when it stands in fewer than one of so many entries.
_RARE = 6


def runs_of(cycle_ids: Sequence[str]) -> list[tuple[int, int]]:
    """For each entry the first and the last place of the run of one cycle it stands in."""
    runs: list[tuple[int, int]] = []
    for _, members in groupby(cycle_ids):
        first, size = len(runs), len(list(members))
        runs += [(first, first + size - 1)] * size
    return runs


class Neighbourhood:
    """Each entry with up to `width` ones on either side, never beyond its run."""

    def __init__(self, runs: Sequence[tuple[int, int]], lengths: Sequence[int], width: int) -> None:
        self._bounds = [
            (max(first, place - width), min(last, place + width) + 1)
            for place, (first, last) in enumerate(runs)
        ]
        self._starts = [start for start, _ in self._bounds]
        self._ends = [end for _, end in self._bounds]
        sums = list(accumulate(lengths, initial=0))
        self.lengths = [sums[end] - sums[start] for start, end in self._bounds]
        self.mean_length = sum(self.lengths) / len(self.lengths) if self.lengths else 0.0
        self._width = width

    def is_common(self, postings: Sequence[Posting]) -> bool:
        """Whether a gram stands in so many entries that one sweep over all of them is quicker."""
        return len(postings) * _RARE > len(self.lengths)

    def spread(self, postings: Sequence[Posting]) -> Iterable[Posting]:
        """How often a gram stands in each neighbourhood, given where it stands."""
        if not self._width:
            return postings
        counts: dict[int, int] = {}
        for at, count in postings:
            # Whoever is a neighbour of `at` has it for a neighbour too.
            for place in range(*self._bounds[at]):
                counts[place] = counts.get(place, 0) + count
        return counts.items()

    def swept(self, postings: Iterable[Posting]) -> Iterable[int]:
        """The same for every place in order, those included where the gram is not."""
        here = [0] * len(self._bounds)
        for at, count in postings:
            here[at] = count
        if not self._width:
            return here
        sums = list(accumulate(here, initial=0))
        return map(sub, map(sums.__getitem__, self._ends), map(sums.__getitem__, self._starts))
