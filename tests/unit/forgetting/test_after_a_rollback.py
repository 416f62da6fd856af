"""What an undone cycle had read is taken back too: another rollback might bring it back."""

from shared.model.thread import Counter
from shared.rolling_back.rollback_memory import RollbackMemory, rollback_memory
from tests.battery.models import summary_text
from tests.factories import FIRST_MEMORY, KEY, World, message, play, play_summaries
from tests.fakes import FakeModel
from tests.unit.forgetting.test_consumed_changes import SAID, everything, memory, remembered
from tests.unit.rolling_back.lives import after, roll_back


def undone() -> World:
    world = remembered()
    command = RollbackMemory(thread=KEY, generation=0, request_id="r1", requested_by="ops")
    rollback_memory(command, ports=world.ports)
    return world


def pending(world: World) -> Counter:
    messages = world.store.messages[KEY].values()
    return Counter(
        pending_tokens=sum(len(one.text) for one in messages), pending_messages=len(messages)
    )


def test_audits_and_withdrawn_entries_lose_the_words() -> None:
    world = undone()
    kept = [one.model_dump_json() for one in world.store.withdrawn[KEY].values()]
    assert "강아지" in "".join(kept)
    world.settle(world.delete("m00002"))
    assert "콩이" not in everything(world)
    left = [one.title for one in world.store.withdrawn[KEY].values()]
    assert left == ["현상소"]
    assert world.store.read_counter(KEY) == pending(world)


def test_a_deletion_that_is_known_only_after_the_rollback_leaves_the_counter_once() -> None:
    world = remembered()
    change = world.delete("m00002")
    command = RollbackMemory(thread=KEY, generation=0, request_id="r1", requested_by="ops")
    done = rollback_memory(command, ports=world.ports)
    assert done.pending_tokens == pending(world).pending_tokens + len(SAID[2])
    world.settle(change)
    assert world.store.read_counter(KEY) == pending(world)


def test_what_a_rollback_brought_back_from_before_does_not_rest_on_a_later_message() -> None:
    """A seed's line that says a word of the message, undone when the message was read."""
    world = World(model=FakeModel(FIRST_MEMORY, summary_text(3)))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("강변을 달렸다.")}
    assert world.seed().memory_status == "ready"
    roll_back(world, 0, request_id="r1")
    world.say(message(0, "요즘 자전거 타?"))
    world.chat(12, start=1)
    world.clock.pass_time(3_600)
    assert world.summarize(3).outcome == "applied"
    roll_back(world, 1, request_id="r2")
    assert "취미: 자전거" in memory(world)
    world.settle(world.delete("m00000"))
    assert "취미: 자전거" in memory(world)
    assert after(world, 4) == after(world, 1)
