"""The optional semantic lane: recorded with its model, off where the models differ."""

from collections.abc import Sequence

import pytest

from shared.errors import RecallIndexError
from shared.model.thread import ThreadKey
from shared.recall.embedding import SemanticLane
from shared.recall.embedding_shard import MOST_BYTES, EmbeddingShard, unpack_embeddings
from shared.recall.rebuild_index import rebuild_index
from shared.recall.semantic import Semantic, why_off
from tests.factories import KEY, World, summary
from tests.fakes import FakeEmbedder, FakeModel


def cycled(*embedders: FakeEmbedder | None) -> World:
    """A thread after a cycle with each of these embedders."""
    world = World(model=FakeModel(*[summary(f"{n}번째.") for n in range(len(embedders))]))
    for generation, embedder in enumerate(embedders, start=1):
        world.embedder = embedder
        world.chat(12, start=12 * generation)
        world.clock.pass_time(3_600)
        assert world.summarize(generation).outcome == "applied"
    return world


def lane(world: World, embedder: FakeEmbedder | None) -> Semantic | None:
    state = world.store.states[KEY]
    return SemanticLane(world.store, embedder).semantic_of(KEY, state, "필름 찾았어?")


def test_each_cycle_embeds_its_entries() -> None:
    world = cycled(FakeEmbedder(), FakeEmbedder())
    found = lane(world, FakeEmbedder())
    assert found is not None
    assert set(found.entries.vectors) == {"000001-000", "000002-000"}
    assert (found.entries.model, found.entries.dimensions) == ("letters", 8)
    assert why_off(found) == ""
    assert world.store.states[KEY].embedding_shards == 1


def test_without_an_embedder_there_is_no_lane_and_no_call() -> None:
    world = cycled(None)
    assert lane(world, None) is None
    embedder = FakeEmbedder()
    assert lane(world, embedder) is None
    assert embedder.calls == 0


@pytest.mark.parametrize("other", [FakeEmbedder(model="new"), FakeEmbedder(dimensions=16)])
def test_another_model_or_size_switches_the_lane_off(other: FakeEmbedder) -> None:
    found = lane(cycled(FakeEmbedder()), other)
    assert found is not None
    assert "embedded by letters in 8 dimensions" in why_off(found)


def test_entries_of_two_models_switch_it_off_until_it_is_rebuilt() -> None:
    world = cycled(FakeEmbedder(), FakeEmbedder(model="new"))
    found = lane(world, FakeEmbedder(model="new"))
    assert found is not None
    assert "several models" in why_off(found)
    new = FakeEmbedder(model="new")
    rebuild_index(KEY, memory=world.store, lorebook=world.store, embedder=new)
    again = lane(world, new)
    assert again is not None
    assert why_off(again) == ""


def test_a_service_that_is_down_leaves_cycle_and_turn_standing() -> None:
    broken = FakeEmbedder()
    broken.broken = True
    world = cycled(broken)
    assert world.store.states[KEY].embedding_shards == 0
    world = cycled(FakeEmbedder())
    found = lane(world, broken)
    assert found is not None
    assert "no embedding" in why_off(found)


def test_damaged_embeddings_are_no_lane() -> None:
    world = cycled(FakeEmbedder())
    world.store.embeddings[KEY] = {0: b"damaged"}
    found = lane(world, FakeEmbedder())
    assert found is not None
    assert why_off(found)


def test_vectors_are_loaded_once_a_generation(monkeypatch: pytest.MonkeyPatch) -> None:
    world = cycled(FakeEmbedder())
    reads: list[ThreadKey] = []
    read = world.store.read_embeddings

    def counted(key: ThreadKey, numbers: Sequence[int]) -> Sequence[bytes]:
        reads.append(key)
        return read(key, numbers)

    monkeypatch.setattr(world.store, "read_embeddings", counted)
    semantics = SemanticLane(world.store, FakeEmbedder())
    for _ in range(3):
        assert semantics.semantic_of(KEY, world.store.states[KEY], "필름")
    assert len(reads) == 1


def test_a_shard_comes_back_as_it_was_and_stays_below_its_size() -> None:
    vectors = {f"{n:06d}-000": bytes([n % 250] * 256) for n in range(2_000)}
    shard = EmbeddingShard(model="m", dimensions=256, vectors=vectors)
    assert unpack_embeddings(shard.packed()) == shard
    assert len(shard.packed()) < MOST_BYTES
    assert not shard.has_room(1_000)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x00\x00\x00\x05hello", b"\xff" * 40])
def test_bytes_that_are_no_embeddings(data: bytes) -> None:
    with pytest.raises(RecallIndexError):
        unpack_embeddings(data)
