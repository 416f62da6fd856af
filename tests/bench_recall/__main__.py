"""Measure recall: `make bench-recall LOCOMO=path/to/locomo10.json`, one `name value` a line.

Figures are per cent (`_r10`), shares of 1, counts, or ratios of two times taken in this run.
Exits 1 when one of them misses its bound, 2 without the data.
"""

import sys
from pathlib import Path

from tests.bench_recall import keywords, plot, retrieval, scale
from tests.bench_recall.embedder import Embedder
from tests.bench_recall.locomo import read_observations, read_turns

AT_LEAST = {
    "keyword_cases": 200.0,
    "keyword_precision": 0.97,
    "keyword_recall": 0.97,
    "turns_r10": 69.0,
    "observations_r10": 59.0,
    "turns_r10_semantic": 72.0,
    "observations_r10_semantic": 65.0,
}
AT_MOST = {
    "keyword_time_ratio": 3.0,
    "index_shards_100": 1.0,
    "index_shards_1000": 1.0,
    "index_shards_10000": 6.0,
    "recall_time_ratio": 12.0,
}
# By how much the whole must beat the best of its lanes.
AHEAD = {"turns_r10": 8.0, "observations_r10": 1.0}
PICTURE = Path(__file__).parents[2] / "docs" / "recall.png"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("usage: make bench-recall LOCOMO=path/to/locomo10.json", file=sys.stderr)
        return 2
    path, figures = Path(arguments[0]), dict[str, float]()
    turns, observations = read_turns(path), read_observations(path)
    embedder = Embedder()
    for measured in (
        keywords.measure,
        lambda: retrieval.measure("turns", turns),
        lambda: retrieval.measure("observations", observations),
        scale.measure,
        lambda: retrieval.measure_semantic("turns", turns, embedder),
        lambda: retrieval.measure_semantic("observations", observations, embedder),
    ):
        found = measured()
        figures |= found
        for name, value in found.items():
            print(f"{name} {value:.4g}", flush=True)
    plot.draw(plot.points(turns), PICTURE)
    missed = misses(figures)
    for line in missed:
        print(line, file=sys.stderr)
    return 1 if missed else 0


def misses(figures: dict[str, float]) -> list[str]:
    """A sentence for each figure that misses its bound."""
    bounds = AT_LEAST | {
        name: max(AT_LEAST[name], figures[f"{name}_best_lane"] + ahead)
        for name, ahead in AHEAD.items()
    }
    low = [f"{name} is below {low:g}" for name, low in bounds.items() if figures[name] < low]
    return low + [
        f"{name} is above {top:g}" for name, top in AT_MOST.items() if figures[name] > top
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
