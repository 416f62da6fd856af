"""What each part of recall is worth: `python -m tests.bench_recall.ablation locomo10.json`.

One line a variant: R@10 of turns and of observations on the half of the conversations that chose
the weights, then on the other half.
"""

import sys
from pathlib import Path

from shared.recall.index import RecallIndex
from shared.recall.recall_settings import RecallSettings, RecallWeights
from tests.bench_recall.locomo import Collection, read_observations, read_turns
from tests.bench_recall.retrieval import FLAT, Halves, recall_ranker, shares

_NONE = RecallWeights(
    keyword=0, lexical=0, near=0, far=0, hashed=0, semantic=0, people=0, importance=0, recency=0
)


def _weighed(**weights: float) -> RecallSettings:
    return FLAT.model_copy(update={"weights": RecallWeights(**weights)})


def _alone(**weights: float) -> RecallSettings:
    return FLAT.model_copy(update={"weights": _NONE.model_copy(update=weights)})


VARIANTS = {
    "as_shipped": FLAT,
    "without_near": _weighed(near=0),
    "without_far": _weighed(far=0),
    "without_neighbours": _weighed(near=0, far=0),
    "without_lexical": _weighed(lexical=0),
    "without_people": _weighed(people=0),
    "without_hashed": _weighed(hashed=0),
    "without_recency": _weighed(recency=0),
    "near_doubled": _weighed(near=0.8),
    "far_halved": _weighed(far=0.5),
    "far_doubled": _weighed(far=2),
    "people_halved": _weighed(people=0.1),
    "people_doubled": _weighed(people=0.4),
    "far_width_2": FLAT.model_copy(update={"far_width": 2}),
    "far_width_6": FLAT.model_copy(update={"far_width": 6}),
    "similarity_62_lexical_18_importance_12_recency_8": _alone(
        hashed=0.62, lexical=0.18, importance=0.12, recency=0.08
    ),
    "with_diversity": FLAT.model_copy(update={"diversity": RecallSettings().diversity}),
    "with_two_of_a_cycle": FLAT.model_copy(update={"most_of_a_cycle": 2}),
}


def main(path: Path) -> None:
    sets = (read_turns(path), read_observations(path))
    indexes = [[RecallIndex.from_entries(one.entries) for one in each] for each in sets]
    print("variant turns observations turns_held_out observations_held_out")
    for name, settings in VARIANTS.items():
        turns, observations = (
            _halves(each, built, settings) for each, built in zip(sets, indexes, strict=True)
        )
        values = (turns[0], observations[0], turns[1], observations[1])
        print(name, *(f"{value:.1f}" for value in values), flush=True)


def _halves(
    collections: list[Collection], indexes: list[RecallIndex], settings: RecallSettings
) -> tuple[float, float]:
    halves = Halves()
    for number, (one, index) in enumerate(zip(collections, indexes, strict=True)):
        halves.add(number, shares(one, recall_ranker(index, settings)))
    figures = halves.figures("r10")
    return figures["r10_tuned_half"], figures["r10_held_out_half"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
