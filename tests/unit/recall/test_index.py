"""The packed index: a cache that equals its entries, or says that it does not."""

import json
import random
import zlib
from struct import pack_into

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import RecallIndexError
from shared.recall.entry import RecallEntry, Relation, RelationKind, Secrecy
from shared.recall.hash_vectors import hash_vector
from shared.recall.index import RecallIndex
from shared.recall.query import Query
from shared.recall.recall import recall
from shared.recall.recall_settings import RecallSettings
from tests.unit.recall.recalling import entry

WORDS = st.text("가나다열쇠 강릉abc1.*([\n\ud800\0", max_size=12)
RELATIONS = st.builds(Relation, st.sampled_from(RelationKind), st.sampled_from(["a", "b", "c"]))
ENTRIES = st.lists(
    st.builds(
        RecallEntry,
        entry_id=st.text("abcdefgh", min_size=1, max_size=3),
        cycle_id=st.sampled_from(["1", "2", "3"]),
        turn=st.integers(0, 10_000),
        title=WORDS,
        keywords=st.lists(WORDS, max_size=3).map(tuple),
        record=WORDS,
        kind=st.sampled_from(["", "event", "promise"]),
        importance=st.integers(1, 5),
        people=st.lists(WORDS, max_size=2).map(tuple),
        relations=st.lists(RELATIONS, max_size=2).map(tuple),
        secrecy=st.sampled_from(Secrecy),
    ),
    max_size=12,
)
SOME = [entry(number, f"{number}번째 열쇠를 찾았다", keywords=("열쇠",)) for number in range(5)]


@settings(deadline=None)
@given(ENTRIES, WORDS)
def test_an_index_from_shards_equals_the_one_from_entries(
    entries: list[RecallEntry], text: str
) -> None:
    index = RecallIndex.from_entries(entries)
    again = RecallIndex.from_shards(index.packed())
    query = Query(text=text, turn=20)
    assert again == index
    assert again.fields == index.fields
    assert recall(query, again, settings=RecallSettings()) == recall(
        query, index, settings=RecallSettings()
    )


@settings(deadline=None)
@given(ENTRIES, st.integers(0, 12))
def test_appending_cycle_by_cycle_equals_a_rebuild(entries: list[RecallEntry], cut: int) -> None:
    grown = RecallIndex.from_entries(entries[:cut])
    grown = RecallIndex.from_shards(grown.packed()).appended(entries[cut:])
    assert grown == RecallIndex.from_entries(entries)


def test_a_replayed_cycle_changes_nothing() -> None:
    index = RecallIndex.from_entries(SOME)
    assert index.appended(SOME[3:]) == index


def test_an_append_leaves_full_shards_alone() -> None:
    many = [entry(number, f"{number}번째 일") for number in range(2_100)]
    index = RecallIndex.from_entries(many)
    grown = index.appended([entry(9_999, "새 일")])
    assert [len(shard.fields) for shard in index.shards] == [2_000, 100]
    assert grown.shards[0] is index.shards[0]
    assert len(grown) == 2_101


def test_a_shard_never_nears_a_document_though_nothing_compresses() -> None:
    chance = random.Random(1)
    letters = [chr(code) for code in range(ord("가"), ord("힣") + 1)]
    entries = [entry(n, "".join(chance.choices(letters, k=3_000))) for n in range(45)]
    packed = RecallIndex.from_entries(entries).packed()
    assert len(packed) > 1
    assert max(map(len, packed)) < 950_000


def test_no_entries_are_no_shards() -> None:
    assert RecallIndex.from_entries([]).packed() == ()
    assert len(RecallIndex.from_shards([], entry_count=0)) == 0


def _altered(packed: bytes, at: int, value: int) -> bytes:
    changed = bytearray(packed)
    pack_into("<H", changed, at, value)
    return bytes(changed)


PACKED = RecallIndex.from_entries(SOME).packed()[0]


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (b"", "no shard"),
        (b"\x89PNG and something else", "no shard"),
        (_altered(PACKED, 4, 0), "format 0"),
        (_altered(PACKED, 4, 99), "format 99"),
        (_altered(PACKED, 6, 1), "missing"),
        (_altered(PACKED, 8, 4), "holds?"),
        (_altered(PACKED, len(PACKED) - 9, 7), "damaged"),
        (PACKED[:-1], "damaged"),
        (PACKED[:16] + b"not zlib", "damaged"),
    ],
)
def test_a_shard_that_cannot_be_used_says_so(packed: bytes, reason: str) -> None:
    with pytest.raises(RecallIndexError, match=reason):
        RecallIndex.from_shards([packed])


def test_a_body_with_a_right_checksum_and_wrong_content_says_so() -> None:
    for body in (b"", b"\0" * 36, json.dumps([1]).encode()):
        packed = zlib.compress(body)
        header = bytearray(PACKED[:16])
        pack_into("<I", header, 12, zlib.crc32(packed))
        with pytest.raises(RecallIndexError):
            RecallIndex.from_shards([bytes(header) + packed])


def test_a_stale_index_says_so() -> None:
    with pytest.raises(RecallIndexError, match="holds 5 entries, not 6"):
        RecallIndex.from_shards([PACKED], entry_count=6)


def test_the_stored_vector_is_kept_as_it_is() -> None:
    vector = hash_vector(["달라"])
    index = RecallIndex.from_entries([*SOME, entry(7, "열쇠", vector=vector)])
    assert RecallIndex.from_shards(index.packed()).vector(5) == vector
    with pytest.raises(RecallIndexError, match="dimensions"):
        RecallIndex.from_entries([entry(1, "열쇠", vector=b"\1\2")])
