"""Some two thousand entries packed into one document of bytes."""

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from struct import Struct, error, pack, unpack
from typing import Any

from shared.errors import RecallIndexError
from shared.recall.entry import Fields, RecallEntry, Relation, RelationKind, Secrecy, fields_of
from shared.recall.grams import grams_of
from shared.recall.hash_vectors import DIMENSIONS, hash_vector, square_sum
from shared.recall.postings import Postings

# Rises whenever the same entries would be packed into other bytes, grams and vectors included: an
# index of another format is made anew.
FORMAT = 2
_MARK = b"SMRI"
# Mark, format, the shard's number, how many entries, checksum of what follows.
_HEADER = Struct("<4sHHII")
_SECTIONS = Struct("<9I")
# A document holds 1 MiB. A shard takes no more entries once it has so many of them, or once it
# is found to have so many bytes; that is looked at each time that its weight passes a step.
_MOST_ENTRIES = 2_000
_MOST_BYTES = 550_000
_WEIGHT_STEP = 250_000


def weight_of(entry: RecallEntry) -> int:
    """About what an entry takes in a shard if nothing compresses, in bytes. Never changes."""
    text = entry.text.encode("utf-8", "surrogatepass")
    return len(_json(fields_of(entry))) + len(text) + 2 * len(set(grams_of(entry.text)))


def _json(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


class Shard:
    """Consecutive entries of the index. Never changes; `extended` gives another one."""

    def __init__(
        self,
        number: int,
        *,
        fields: Sequence[Fields],
        weights: Sequence[int],
        lengths: Sequence[int],
        square_sums: Sequence[int],
        vectors: bytes,
        postings: Postings,
    ) -> None:
        self.number = number
        self.fields = tuple(fields)
        self.weights = tuple(weights)  # by `weight_of`
        self.lengths = tuple(lengths)  # in grams
        self.square_sums = tuple(square_sums)
        self.vectors = vectors
        self.postings = postings

    @classmethod
    def empty(cls, number: int) -> "Shard":
        return cls(
            number,
            fields=(),
            weights=(),
            lengths=(),
            square_sums=(),
            vectors=b"",
            postings=Postings.of(()),
        )

    @cached_property
    def is_full(self) -> bool:
        """Whether further entries belong to another shard; a matter of its entries alone."""
        weight = sum(self.weights)
        if len(self.fields) >= _MOST_ENTRIES or not self.fields:
            return bool(self.fields)
        passed = weight // _WEIGHT_STEP > (weight - self.weights[-1]) // _WEIGHT_STEP
        return passed and weight > _MOST_BYTES and len(self.packed()) > _MOST_BYTES

    def room_for(self, entries: Sequence[RecallEntry]) -> int:
        """How many of `entries` to take, at least one, before looking again whether it is full."""
        weight = sum(self.weights)
        step = weight // _WEIGHT_STEP
        for count, entry in enumerate(entries[: _MOST_ENTRIES - len(self.fields)], start=1):
            weight += weight_of(entry)
            if weight // _WEIGHT_STEP > step:
                return count
        return min(len(entries), _MOST_ENTRIES - len(self.fields))

    def extended(self, entries: Sequence[RecallEntry]) -> "Shard":
        """This shard and further entries behind its own. Time: that of packing all of them."""
        grams = [grams_of(entry.text) for entry in entries]
        vectors = [
            entry.vector if entry.vector is not None else hash_vector(own)
            for entry, own in zip(entries, grams, strict=True)
        ]
        if any(len(vector) != DIMENSIONS for vector in vectors):
            raise RecallIndexError("an entry's vector has another number of dimensions")
        return Shard(
            self.number,
            fields=(*self.fields, *map(fields_of, entries)),
            weights=(*self.weights, *map(weight_of, entries)),
            lengths=(*self.lengths, *map(len, grams)),
            square_sums=(*self.square_sums, *map(square_sum, vectors)),
            vectors=self.vectors + b"".join(vectors),
            postings=self.postings.with_more(len(self.fields), map(Counter, grams)),
        )

    def vector(self, place: int) -> bytes:
        return self.vectors[place * DIMENSIONS : (place + 1) * DIMENSIONS]

    def packed(self) -> bytes:
        """The shard as bytes; equal shards give equal bytes."""
        size = len(self.fields)
        sections = (
            _json(self.fields),
            pack(f"<{size}I", *self.weights),
            pack(f"<{size}I", *self.lengths),
            pack(f"<{size}I", *self.square_sums),
            self.vectors,
            *self.postings.parts(),
        )
        body = zlib.compress(_SECTIONS.pack(*map(len, sections)) + b"".join(sections))
        return _HEADER.pack(_MARK, FORMAT, self.number, size, zlib.crc32(body)) + body


def unpack_shard(packed: bytes) -> Shard:
    """The shard that `packed` holds.

    Raises RecallIndexError for bytes that are no shard, of another format, or damaged.
    """
    if len(packed) < _HEADER.size or packed[: len(_MARK)] != _MARK:
        raise RecallIndexError("a shard is no shard of this index")
    _, version, number, size, checksum = _HEADER.unpack_from(packed)
    if version != FORMAT:
        raise RecallIndexError(f"a shard has format {version}, this code reads {FORMAT}")
    body = packed[_HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise RecallIndexError("a shard is damaged")
    try:
        return _read_body(number, size, zlib.decompress(body))
    except (zlib.error, error, ValueError, TypeError) as problem:
        raise RecallIndexError("a shard does not read as its format says") from problem


def _read_body(number: int, size: int, body: bytes) -> Shard:
    sections, start = [], _SECTIONS.size
    for length in _SECTIONS.unpack_from(body):
        sections.append(body[start : start + length])
        start += length
    rows, weights, lengths, square_sums, vectors, *postings = sections
    fields = [_fields(row) for row in json.loads(rows.decode("utf-8", "surrogatepass"))]
    if len(fields) != size or len(vectors) != size * DIMENSIONS:
        raise RecallIndexError("a shard does not hold what it says")
    return Shard(
        number,
        fields=fields,
        weights=unpack(f"<{size}I", weights),
        lengths=unpack(f"<{size}I", lengths),
        square_sums=unpack(f"<{size}I", square_sums),
        vectors=vectors,
        postings=Postings.from_parts(postings),
    )


def _fields(row: list[Any]) -> Fields:
    entry_id, cycle_id, turn, keywords, kind, importance, people, relations, secrecy = row
    return Fields(
        entry_id,
        cycle_id,
        turn,
        tuple(keywords),
        kind,
        importance,
        tuple(people),
        tuple(Relation(RelationKind(kind), target) for kind, target in relations),
        Secrecy(secrecy),
    )
