"""A vector for every text without any model: grams hashed into 1,024 dimensions.

A stored vector depends on its own text alone, so it never changes; how rare a gram is weighs
on the side of the query only.
"""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import sqrt

DIMENSIONS = 1024
_MOST = 127
_POSITIVE = bytes(int(0 < byte < 128) for byte in range(256))
_NEGATIVE = bytes(int(byte >= 128) for byte in range(256))


def hash_vector(grams: Iterable[str]) -> bytes:
    """1,024 signed bytes. A gram adds or takes the number of bits of its count: 1, 2, 2, 3…"""
    sums = [0] * DIMENSIONS
    for gram, count in Counter(grams).items():
        dimension, sign = place_of(gram)
        sums[dimension] += sign * count.bit_length()
    return bytes(max(-_MOST, min(_MOST, value)) & 0xFF for value in sums)


def place_of(gram: str) -> tuple[int, int]:
    """The dimension of a gram, and 1 or -1: its sign there. Fixed for ever."""
    code = zlib.crc32(gram.encode("utf-8", "surrogatepass"))
    return code % DIMENSIONS, 1 if code & DIMENSIONS else -1


def square_sum(vector: bytes) -> int:
    """The square of a vector's length."""
    return sum(value * value for value in memoryview(vector).cast("b").tolist() if value)


def query_vector(weights: Mapping[str, float], known: Collection[str]) -> dict[int, float]:
    """The query's few dimensions, on a scale on which the whole query has length 1.

    `weights` are its grams' weights with their IDF. A gram that no entry has (not in `known`)
    counts for the length alone: whatever lies in its dimension is there by accident.
    """
    sums: dict[int, float] = {}
    kept: dict[int, float] = {}
    for gram, weight in weights.items():
        dimension, sign = place_of(gram)
        sums[dimension] = sums.get(dimension, 0.0) + sign * weight
        if gram in known:
            kept[dimension] = kept.get(dimension, 0.0) + sign * weight
    length = sqrt(sum(value * value for value in sums.values())) or 1.0
    return {dimension: value / length for dimension, value in kept.items() if value}


def cosines(query: Mapping[int, float], vectors: bytes, square_sums: Iterable[int]) -> list[float]:
    """The cosine of `query` with each of the `vectors`, which stand one after another."""
    values = memoryview(vectors).cast("b")
    totals = [0.0] * (len(vectors) // DIMENSIONS)
    for dimension, weight in query.items():
        column = values[dimension::DIMENSIONS].tolist()
        totals = [
            total + weight * value if value else total
            for total, value in zip(totals, column, strict=True)
        ]
    return [
        total / sqrt(square) if square else 0.0
        for total, square in zip(totals, square_sums, strict=True)
    ]


class Signs:
    """A vector as two sets of bits, to compare a few vectors with each other at once."""

    def __init__(self, vector: bytes) -> None:
        self._positive = int.from_bytes(vector.translate(_POSITIVE))
        self._negative = int.from_bytes(vector.translate(_NEGATIVE))
        self._size = (self._positive | self._negative).bit_count()

    def similarity(self, other: "Signs") -> float:
        """The cosine of the two vectors' signs, from -1 to 1; 0 when one of them is empty."""
        if not self._size or not other._size:
            return 0.0
        same = (self._positive & other._positive).bit_count()
        same += (self._negative & other._negative).bit_count()
        opposite = (self._positive & other._negative).bit_count()
        opposite += (self._negative & other._positive).bit_count()
        return (same - opposite) / sqrt(self._size * other._size)
