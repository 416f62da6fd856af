"""The index is a cache: written with a cycle, rebuilt where it cannot be used."""

import pytest

from shared.errors import StaleClaimError
from shared.model.lorebook import LorebookEntry
from shared.recall.index import RecallIndex
from shared.recall.loading import RecallIndexes, recall_entries_of
from shared.recall.rebuild_index import rebuild_index
from tests.factories import KEY, NOW, World, summary
from tests.fakes import FakeModel, FakeStore


def entry(number: int) -> LorebookEntry:
    return LorebookEntry(
        title=f"사건 {number}",
        keywords=("필름", f"현상소{number}"),
        occurred_at="2026-05-28 (목)",
        record=f"{number}번째 필름을 맡겼다.",
        cycle_id=f"{number + 1:06d}",
        index=0,
        created_at=NOW,
        secrecy="soul-only" if number % 2 else "open",
    )


def cycled(cycles: int) -> World:
    """A thread after so many cycles, each with one event."""
    world = World(model=FakeModel(*[summary(f"{n}번째.") for n in range(cycles)]))
    for generation in range(1, cycles + 1):
        world.chat(12, start=12 * generation)
        world.clock.pass_time(3_600)
        assert world.summarize(generation).outcome == "applied"
    return world


def load(store: FakeStore) -> RecallIndex:
    shards = store.shards.get(KEY, {})
    return RecallIndexes(store).index_of(KEY, store.states[KEY], shards.get(0))


def rebuilt(store: FakeStore) -> RecallIndex:
    return RecallIndex.from_entries(recall_entries_of(store.entries[KEY].values()))


def test_each_cycle_writes_its_entries_into_the_index() -> None:
    store = cycled(3).store
    assert store.states[KEY].lorebook_entries == 3
    index = load(store)
    assert [one.entry_id for one in index.fields] == ["000001-000", "000002-000", "000003-000"]
    assert index == rebuilt(store)


@pytest.mark.parametrize(
    "shard", [None, b"", b"no index of ours", b"SMRI\xff\xff\x00\x00", "stale"]
)
def test_an_index_that_cannot_be_used_is_made_anew(shard: bytes | str | None) -> None:
    store = cycled(3).store
    if shard is None:
        store.shards[KEY] = {}
    elif shard == "stale":
        store.shards[KEY] = {0: RecallIndex.from_entries(recall_entries_of([entry(0)])).packed()[0]}
    else:
        assert isinstance(shard, bytes)
        store.shards[KEY] = {0: shard}
    assert load(store) == rebuilt(store)


def test_a_cycle_mends_an_index_that_cannot_be_used() -> None:
    world = cycled(2)
    world.store.shards[KEY] = {0: b"damaged"}
    world.model.answers = [summary("셋째.")]
    world.chat(12, start=36)
    world.clock.pass_time(3_600)
    assert world.summarize(3).outcome == "applied"
    stored = RecallIndex.from_shards([world.store.shards[KEY][0]], entry_count=3)
    assert stored == rebuilt(world.store)


def test_entries_of_before_there_was_an_index_are_found() -> None:
    store = cycled(2).store
    store.states[KEY] = store.states[KEY].model_copy(
        update={"lorebook_entries": None, "lorebook_shards": 0}
    )
    store.shards.clear()
    assert load(store) == rebuilt(store)


def test_an_index_is_loaded_once_a_generation() -> None:
    store = cycled(1).store
    indexes = RecallIndexes(store)
    first = indexes.index_of(KEY, store.states[KEY], store.shards[KEY][0])
    assert indexes.index_of(KEY, store.states[KEY], None) is first


def test_rebuilding_restores_the_same_index() -> None:
    store = cycled(3).store
    before = dict(store.shards[KEY])
    store.shards[KEY] = {0: b"damaged"}
    result = rebuild_index(KEY, memory=store, lorebook=store, embedder=None)
    assert (result.entries, result.shards) == (3, 1)
    assert store.shards[KEY] == before


def test_rebuilding_yields_to_a_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    world = cycled(1)
    entries = world.store.all_entries(KEY)

    def meanwhile(key: object) -> object:
        world.store.write_index(
            KEY, world.store.read_cycle(KEY, None), world.store.states[KEY], {}, {}
        )
        return entries

    monkeypatch.setattr(world.store, "all_entries", meanwhile)
    with pytest.raises(StaleClaimError):
        rebuild_index(KEY, memory=world.store, lorebook=world.store, embedder=None)
