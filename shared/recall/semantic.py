"""The optional lane: embeddings made elsewhere, compared only when one model made all of them."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from operator import mul

from shared.model.base import Frozen
from shared.recall.entry import Fields

_MOST = 127


class EntryEmbeddings(Frozen):
    """One embedding an entry, by its id, as `quantised` made it: a signed byte a dimension."""

    model: str
    dimensions: int
    vectors: Mapping[str, bytes]


class QueryEmbedding(Frozen):
    """The embedding of the current turn."""

    model: str
    values: tuple[float, ...]


class Semantic(Frozen):
    """Both sides of the lane. `off` says why there is no query (a service that is down)."""

    entries: EntryEmbeddings
    query: QueryEmbedding | None
    off: str = ""


def quantised(values: Sequence[float]) -> bytes:
    """An embedding of any length as signed bytes; its direction is kept."""
    most = max(map(abs, values), default=0.0)
    scale = _MOST / most if most else 0.0
    return bytes(round(value * scale) & 0xFF for value in values)


def why_off(semantic: Semantic | None) -> str:
    """Why the lane cannot be used, in words for an operator; empty when it can."""
    if semantic is None:
        return "no embeddings given"
    if semantic.query is None:
        return semantic.off or "no embedding of the query"
    entries, query = semantic.entries, semantic.query
    if (entries.model, entries.dimensions) != (query.model, len(query.values)):
        return (
            f"entries are embedded by {entries.model} in {entries.dimensions} dimensions, "
            f"the query by {query.model} in {len(query.values)}"
        )
    return ""


def semantic_lane(
    semantic: Semantic, fields: Sequence[Fields], places: Iterable[int]
) -> dict[int, float]:
    """How far each of `places` stands above their mean: 1 is the nearest of them, 0 the mean.

    Cosines of one model all lie in a narrow band, so only their order of distances counts.
    An entry without a sound embedding has 0.
    """
    assert semantic.query is not None
    values = semantic.query.values
    cosines: dict[int, float] = {}
    for place in places:
        vector = semantic.entries.vectors.get(fields[place].entry_id, b"")
        if len(vector) == len(values) and any(vector):
            cosines[place] = _cosine(values, vector)
    if not cosines:
        return {}
    mean = sum(cosines.values()) / len(cosines)
    span = max(cosines.values()) - mean
    return {
        place: max(0.0, one - mean) / span if span > 0 else 0.0 for place, one in cosines.items()
    }


def _cosine(values: Sequence[float], vector: bytes) -> float:
    """The cosine, but for the length of the query's own vector, which is the same for all."""
    whole = memoryview(vector).cast("b").tolist()
    product: float = sum(map(mul, values, whole))
    return product / sqrt(sum(map(mul, whole, whole)))
