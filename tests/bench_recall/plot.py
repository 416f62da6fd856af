"""Recall and time against the number of entries, as a picture."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import NamedTuple

from shared.recall.index import RecallIndex
from tests.bench_recall.locomo import Collection
from tests.bench_recall.retrieval import FLAT, lane_ranker, recall_ranker, shares

# How many conversations lie together in one index.
_POOLS = (1, 2, 3, 5, 7, 10)


class Point(NamedTuple):
    """One number of entries: R@10 of recall and of BM25 alone, in per cent; processor time."""

    entries: int
    recall: float
    lexical: float
    milliseconds: float


def points(collections: Sequence[Collection]) -> list[Point]:
    """The first conversation's questions, asked of it among more and more others."""
    asked = collections[0]
    found = []
    for count in _POOLS:
        index = RecallIndex.from_entries(chain(*(one.entries for one in collections[:count])))
        pooled = asked._replace(
            turns_of={
                one: turns for each in collections[:count] for one, turns in each.turns_of.items()
            }
        )
        start = process_time()
        recalled = 100 * fmean(shares(pooled, recall_ranker(index, FLAT)))
        milliseconds = 1_000 * (process_time() - start) / len(asked.questions)
        lexical = 100 * fmean(shares(pooled, lane_ranker(index, "lexical")))
        found.append(Point(len(index), recalled, lexical, milliseconds))
    return found


def draw(found: Sequence[Point], path: Path) -> None:
    """Write the picture: quality above, time below."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    entries = [point.entries for point in found]
    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(6.4, 5), dpi=100)
    above.plot(entries, [point.recall for point in found], "o-", label="recall")
    above.plot(entries, [point.lexical for point in found], "s--", label="BM25 alone")
    above.set_ylabel("evidence in the first ten, %")
    above.set_ylim(0, 100)
    above.legend()
    below.plot(entries, [point.milliseconds for point in found], "o-")
    below.set_ylabel("processor ms a query")
    below.set_ylim(0)
    below.set_xlabel("entries in the index (LoCoMo turns)")
    for axes in (above, below):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})
