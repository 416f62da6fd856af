"""R@10 on LoCoMo: the whole of recall, each lane alone, and outside baselines."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any

from shared.recall.grams import grams_of
from shared.recall.index import RecallIndex
from shared.recall.lanes import CheapLanes
from shared.recall.query import Query
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings
from shared.recall.semantic import Semantic
from tests.bench_recall.embedder import Embedder
from tests.bench_recall.locomo import Collection, Question

TOP = 10
# Turns are flat: no kinds, and half of the answers stand in one session.
FLAT = RecallSettings(most_of_a_cycle=TOP, diversity=0.0, minimum_lexical=0.035, evidence_width=4)
LANES = ("lexical", "near", "far", "hashed")

Ranker = Callable[[Question], Sequence[str]]


class Halves:
    """Recall of each question, by the half of the conversations that it belongs to."""

    def __init__(self) -> None:
        self._tuned: list[float] = []
        self._held_out: list[float] = []

    def add(self, number: int, shares: Iterable[float]) -> None:
        """Conversations of even number (from 0, in the order of the file) chose the weights."""
        (self._held_out if number % 2 else self._tuned).extend(shares)

    def figures(self, name: str) -> dict[str, float]:
        """In per cent, for the whole and for each half."""
        return {
            name: 100 * fmean(self._tuned + self._held_out),
            f"{name}_tuned_half": 100 * fmean(self._tuned),
            f"{name}_held_out_half": 100 * fmean(self._held_out),
        }


def shares(collection: Collection, rank: Ranker) -> list[float]:
    """For each question the share of its evidence that stands in the first ten entries."""
    found = []
    for question in collection.questions:
        ids = rank(question)[:TOP]
        seen = frozenset().union(*(collection.turns_of[one] for one in ids))
        found.append(len(seen & question.evidence) / len(question.evidence))
    return found


def measure(name: str, collections: Sequence[Collection]) -> dict[str, float]:
    """The figures of recall without embeddings, and of each lane alone, on one set of entries."""
    whole = Halves()
    lanes = {lane: Halves() for lane in LANES}
    others = {"bm25s": Halves(), "bm25s_our_grams": Halves()}
    for number, one in enumerate(collections):
        index = RecallIndex.from_entries(one.entries)
        whole.add(number, shares(one, recall_ranker(index, FLAT)))
        for lane, halves in lanes.items():
            halves.add(number, shares(one, lane_ranker(index, lane)))
        others["bm25s"].add(number, shares(one, _bm25s_ranker(one, _bm25s_tokens)))
        others["bm25s_our_grams"].add(number, shares(one, _bm25s_ranker(one, _our_tokens)))
    alone = {lane: halves.figures("r10")["r10"] for lane, halves in lanes.items()}
    return {
        **whole.figures(f"{name}_r10"),
        f"{name}_r10_best_lane": max(alone.values()),
        **{f"{name}_r10_{lane}_alone": value for lane, value in alone.items()},
        **{f"{name}_r10_{other}": halves.figures("r10")["r10"] for other, halves in others.items()},
    }


def measure_semantic(
    name: str, collections: Sequence[Collection], embedder: Embedder
) -> dict[str, float]:
    """The same with the semantic lane on, and that lane alone."""
    whole, alone = Halves(), Halves()
    for number, one in enumerate(collections):
        index = RecallIndex.from_entries(one.entries)
        embeddings = embedder.entries([(entry.entry_id, entry.text) for entry in one.entries])
        queries = embedder.queries([question.text for question in one.questions])
        by_text = {
            question.text: Semantic(entries=embeddings, query=query)
            for question, query in zip(one.questions, queries, strict=True)
        }
        whole.add(number, shares(one, recall_ranker(index, FLAT, by_text)))
        alone.add(number, shares(one, embedder.ranker(embeddings, by_text)))
    return {
        **whole.figures(f"{name}_r10_semantic"),
        f"{name}_r10_embedder_alone": alone.figures("r10")["r10"],
    }


def recall_ranker(
    index: RecallIndex, settings: RecallSettings, semantic: dict[str, Semantic] | None = None
) -> Ranker:
    """The ids that recall chooses."""

    def rank(question: Question) -> Sequence[str]:
        given = semantic[question.text] if semantic else None
        query = Query(text=question.text, turn=len(index))
        return recall(query, index, settings=settings, semantic=given).entry_ids

    return rank


def lane_ranker(index: RecallIndex, lane: str) -> Ranker:
    """The ids by one lane alone."""

    def rank(question: Question) -> Sequence[str]:
        values: list[float] = getattr(CheapLanes(Query(text=question.text), index, FLAT), lane)
        places = sorted(range(len(index)), key=lambda place: -values[place])
        return [index.fields[place].entry_id for place in places[:TOP]]

    return rank


def _bm25s_tokens(texts: list[str]) -> Any:
    import bm25s

    return bm25s.tokenize(texts, stopwords="en", show_progress=False)


def _our_tokens(texts: list[str]) -> list[list[str]]:
    return [grams_of(text) for text in texts]


def _bm25s_ranker(collection: Collection, tokens: Callable[[list[str]], Any]) -> Ranker:
    import bm25s

    engine = bm25s.BM25()
    engine.index(tokens([entry.text for entry in collection.entries]), show_progress=False)

    def rank(question: Question) -> Sequence[str]:
        asked = tokens([question.text])
        found, _ = engine.retrieve(asked, k=TOP, show_progress=False)
        return [collection.entries[place].entry_id for place in found[0]]

    return rank
