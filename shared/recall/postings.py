"""Which entries of a shard have a gram, and how often: built, packed, looked up."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from struct import pack, unpack

_ESCAPE = 255


# A place, and how often the gram stands there.
Posting = tuple[int, int]


class Postings:
    """The postings of one shard, kept packed; only what a query asks for is unpacked.

    `steps` holds the distance from one place to the next, a byte each, and `counts` how often
    the gram stands there (255 at most). A distance of 255 or more is a step of 255 with a count
    of 0, then the rest. `sizes` is how many steps each gram has, in the order of `grams`.
    """

    def __init__(self, grams: Sequence[str], sizes: bytes, steps: bytes, counts: bytes) -> None:
        self._parts = ("\n".join(grams).encode("utf-8", "surrogatepass"), sizes, steps, counts)
        ends = list(accumulate(unpack(f"<{len(grams)}I", sizes), initial=0))
        self._spans = dict(zip(grams, pairwise(ends), strict=True))
        self._steps, self._counts = steps, counts

    @classmethod
    def of(cls, texts: Iterable[Counter[str]]) -> "Postings":
        """Postings of the grams of each entry, by its place."""
        found: dict[str, list[Posting]] = {}
        for place, grams in enumerate(texts):
            for gram, count in grams.items():
                found.setdefault(gram, []).append((place, count))
        return cls._packed(found)

    @classmethod
    def from_parts(cls, parts: Sequence[bytes]) -> "Postings":
        """Postings from what `parts` gave."""
        grams, sizes, steps, counts = parts
        words = grams.decode("utf-8", "surrogatepass")
        return cls(words.split("\n") if words else [], sizes, steps, counts)

    def parts(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Grams (one a line, sorted), sizes, steps and counts, as bytes."""
        return self._parts

    def get(self, gram: str) -> list[Posting]:
        """The postings of `gram`, by place; none when no entry has it."""
        start, end = self._spans.get(gram, (0, 0))
        places = accumulate(self._steps[start:end])
        counted = zip(places, self._counts[start:end], strict=True)
        return [posting for posting in counted if posting[1]]

    def with_more(self, first: int, texts: Iterable[Counter[str]]) -> "Postings":
        """These postings and those of further entries, the first of them at place `first`."""
        found = {gram: self.get(gram) for gram in self._spans}
        for place, grams in enumerate(texts, start=first):
            for gram, count in grams.items():
                found.setdefault(gram, []).append((place, count))
        return self._packed(found)

    @classmethod
    def _packed(cls, found: dict[str, list[Posting]]) -> "Postings":
        sizes: list[int] = []
        steps, counts = bytearray(), bytearray()
        grams = sorted(found)
        for gram in grams:
            start = len(steps)
            for step, count in _steps_of(found[gram]):
                steps.append(step)
                counts.append(count)
            sizes.append(len(steps) - start)
        return cls(grams, pack(f"<{len(sizes)}I", *sizes), bytes(steps), bytes(counts))


def _steps_of(postings: Iterable[Posting]) -> Iterator[tuple[int, int]]:
    last = 0
    for place, count in postings:
        distance = place - last
        while distance >= _ESCAPE:
            yield _ESCAPE, 0
            distance -= _ESCAPE
        yield distance, min(count, _ESCAPE)
        last = place
