"""Which summaries a first memory is made from (PRD §5.0)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.seeding.sampling import sample_summaries

COUNTS = st.lists(st.integers(min_value=0, max_value=60), max_size=40)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([], []),
        ([0, 0], []),
        ([1], [(0, 0)]),
        ([2], [(0, 0), (0, 1)]),
        ([3], [(0, 0), (0, 1), (0, 2)]),
        ([7], [(0, 0), (0, 3), (0, 6)]),
        ([0, 4, 0, 1], [(1, 0), (1, 1), (1, 3), (3, 0)]),
    ],
)
def test_first_last_and_one_between_of_each_play(
    counts: list[int], expected: list[tuple[int, int]]
) -> None:
    assert sample_summaries(counts) == expected


def test_more_than_fifty_are_sampled_evenly_from_all() -> None:
    picked = sample_summaries([10] * 20)
    assert len(picked) == 50
    assert (picked[0], picked[-1]) == ((0, 0), (19, 9))
    positions = [slot * 10 + index for slot, index in picked]
    gaps = {after - before for before, after in pairwise(positions)}
    assert gaps <= {4, 5}


def test_fifty_exactly_are_not_sampled_again() -> None:
    assert len(sample_summaries([3] * 16 + [2])) == 50
    assert len(sample_summaries([3] * 17)) == 50


@given(COUNTS, st.integers(min_value=1, max_value=6), st.integers(min_value=2, max_value=60))
def test_laws(counts: list[int], per_slot: int, max_total: int) -> None:
    picked = sample_summaries(counts, per_slot, max_total)
    everything = [(slot, index) for slot, count in enumerate(counts) for index in range(count)]
    assert picked == sorted(set(picked))
    assert set(picked) <= set(everything)
    assert len(picked) <= max_total
    assert picked[:1] + picked[-1:] == everything[:1] + everything[-1:]
    if sum(min(count, per_slot) for count in counts) + 1 >= max_total:
        assert len(picked) >= min(len(everything), max_total) - 1
