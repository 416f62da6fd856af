"""What an operator sees of a thread, and how much of it is sent each time the page looks."""

import json
from collections.abc import Mapping, Sequence

from functions.adapters.extractive import ExtractiveModel
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.errors import ModelMisconfiguredError
from shared.inspecting.inspect_thread import (
    Inspection,
    InspectThread,
    SeenCycle,
    ThreadRecord,
    inspect_thread,
)
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.model.thread import MemoryState, ThreadKey
from shared.settings import Settings
from tests.factories import KEY, World, message, summary
from tests.fakes import FakeModel, FakeStore
from tools.play_world import CHAT

CYCLES = 11
MOST_BYTES = 64_000


class FakeRecords:
    """The Records port over the store."""

    def __init__(self, store: FakeStore) -> None:
        self._store = store

    def cycles(self) -> list[Cycle]:
        """Whole, the newest first."""
        stored = [one.cycle for one in self._store.cycles.values() if one.cycle]
        return sorted(stored, key=lambda one: one.cycle_id, reverse=True)

    def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord:
        store = self._store
        return ThreadRecord(
            state=store.states.get(key, MemoryState()),
            counter=store.read_counter(key),
            slots=dict(store.read_slots(key)),
            lorebook=tuple(store.all_entries(key)),
            cycles=tuple(SeenCycle(**one.model_dump()) for one in self.cycles()[:cycles]),
        )

    def slots_before(self, key: ThreadKey, cycle_ids: Sequence[str]) -> Mapping[str, Slots]:
        found = {one.cycle_id: one.before for one in self.cycles() if one.before}
        return {name: found[name] for name in cycle_ids if name in found}


def inspect(world: World) -> Inspection:
    return inspect_thread(
        InspectThread(thread=KEY), records=FakeRecords(world.store), ports=world.composing()
    )


def size_of(answer: object) -> int:
    return len(json.dumps(answer, ensure_ascii=False).encode())


def test_a_slot_comes_with_its_text_before_the_cycle_that_wrote_it() -> None:
    world = World(model=FakeModel(summary("만나기로 했다."), summary("사진을 찾았다.")))
    for generation in (1, 2):
        world.chat(20, start=20 * generation)
        world.clock.pass_time(60 * 60)
        assert world.summarize(generation).outcome == "applied"
    slots = inspect(world).slots
    assert slots["recent_context"].before == "- 만나기로 했다."
    assert slots["recent_context"].slot.content == "- 사진을 찾았다."
    assert slots["long_term_memory"].slot.cycle_id == "000001"
    assert slots["long_term_memory"].before == ""


def test_a_failed_cycle_says_why() -> None:
    world = World(model=FakeModel(ModelMisconfiguredError("no such model")))
    world.chat(20)
    world.clock.pass_time(60 * 60)
    assert world.summarize().outcome == "blocked"
    (cycle,) = inspect(world).cycles
    assert cycle.status == "blocked"
    assert cycle.failure is not None
    assert cycle.failure.failure_class == "configuration"


def test_no_text_of_a_model_or_of_evidence_is_sent_with_a_cycle() -> None:
    world = World(model=FakeModel(summary()))
    world.chat(20)
    world.clock.pass_time(60 * 60)
    world.summarize()
    (cycle,) = inspect(world).model_dump(mode="json")["cycles"]
    assert cycle["output"].keys() == {
        "model_answered",
        "tokens_in",
        "tokens_out",
        "latency_ms",
        "cost_microdollars",
    }
    assert not cycle.keys() & {"before", "after", "evidence", "rejections", "episode_summaries"}


def test_many_cycles_make_a_small_answer() -> None:
    world = remembering_the_demo()
    sent = inspect(world).model_dump(mode="json", exclude_none=True)
    whole = [one.model_dump(mode="json") for one in FakeRecords(world.store).cycles()]
    print(
        f"inspect_thread, {CYCLES} cycles: {size_of(sent)} bytes, {size_of(sent['cycles'])} of "
        f"them cycles; as stored these are {size_of(whole)}"
    )
    assert len(sent["cycles"]) == CYCLES
    assert size_of(sent) <= MOST_BYTES


def remembering_the_demo() -> World:
    """The demo's chat through the stand-in, which writes as much as a model does."""
    tokens = TiktokenCounter()
    settings = Settings(cycle_trigger_tokens=600)
    world = World(model=ExtractiveModel(tokens), tokens=tokens, settings=settings)  # type: ignore[arg-type]
    done = 0
    for number, line in enumerate(CHAT.read_text(encoding="utf-8").splitlines()):
        said = json.loads(line)
        world.say(message(number, said["text"], role=said["role"]))
        if len(world.tasks.queued) > done:
            done += 1
            world.clock.pass_time(60 * 1000)
            assert world.summarize(done).outcome == "applied"
        if done == CYCLES:
            break
    return world
