"""Some two thousand embeddings in one document of bytes; the optional lane's side of the index."""

import json
import zlib
from collections.abc import Mapping, Sequence

from shared.errors import RecallIndexError
from shared.model.base import Frozen
from shared.recall.semantic import EntryEmbeddings, quantised

MOST_BYTES = 600_000
_LENGTH = 4


class EmbeddingShard(Frozen):
    """Quantised vectors by entry id, all of one model and of one number of dimensions."""

    model: str
    dimensions: int
    vectors: Mapping[str, bytes]

    def packed(self) -> bytes:
        """A header (JSON, its length first) and the vectors one after another."""
        head = {"model": self.model, "dimensions": self.dimensions, "ids": list(self.vectors)}
        header = zlib.compress(json.dumps(head, ensure_ascii=False).encode())
        return len(header).to_bytes(_LENGTH, "big") + header + b"".join(self.vectors.values())

    def has_room(self, more: int) -> bool:
        return (len(self.vectors) + more) * self.dimensions <= MOST_BYTES


def unpack_embeddings(data: bytes) -> EmbeddingShard:
    """Raises RecallIndexError for what `packed` did not make."""
    try:
        end = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
        head = json.loads(zlib.decompress(data[_LENGTH:end]))
        size, ids, body = head["dimensions"], head["ids"], data[end:]
        if len(body) != size * len(ids):
            raise RecallIndexError("an embedding is cut")
        parts = (body[start : start + size] for start in range(0, len(body), size))
        return EmbeddingShard(
            model=head["model"], dimensions=size, vectors=dict(zip(ids, parts, strict=True))
        )
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise RecallIndexError("these are no embeddings of ours") from error


def with_embeddings(
    last: EmbeddingShard | None,
    model: str,
    vectors: Mapping[str, Sequence[float]],
) -> tuple[bool, EmbeddingShard]:
    """Whether `vectors` begin a new shard, and the shard that holds them.

    They join the last one if it is of the same model and has room.
    """
    small = {name: quantised(values) for name, values in vectors.items()}
    dimensions = len(next(iter(small.values())))
    is_same = last is not None and (last.model, last.dimensions) == (model, dimensions)
    if last is not None and is_same and last.has_room(len(small)):
        return False, last.model_copy(update={"vectors": {**last.vectors, **small}})
    return True, EmbeddingShard(model=model, dimensions=dimensions, vectors=small)


def entry_embeddings(packed: Sequence[bytes]) -> EntryEmbeddings:
    """All shards together. Raises RecallIndexError where two models have made them."""
    shards = [unpack_embeddings(one) for one in packed]
    kinds = {(one.model, one.dimensions) for one in shards}
    if len(kinds) != 1:
        raise RecallIndexError("the entries are embedded by several models, or by none")
    ((model, dimensions),) = kinds
    vectors = {name: vector for one in shards for name, vector in one.vectors.items()}
    return EntryEmbeddings(model=model, dimensions=dimensions, vectors=vectors)
