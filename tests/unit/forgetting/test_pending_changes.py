"""Messages that no cycle has consumed: their edits and deletions keep the counter exact."""

import itertools
from collections.abc import Callable

import pytest

from shared.errors import RetryLaterError
from shared.model.generation import Generation, ModelRequest
from shared.model.thread import Counter
from tests.factories import KEY, World, message, summary
from tests.fakes import FakeModel


def pending(world: World) -> Counter:
    return world.store.read_counter(KEY)


def stored(world: World) -> Counter:
    """What the counter must say: FakeTokens count a token a character."""
    texts = [one.text for one in world.store.messages[KEY].values()]
    return Counter(pending_tokens=sum(map(len, texts)), pending_messages=len(texts))


def test_a_deleted_message_leaves_the_counter_once() -> None:
    world = World()
    world.chat(3)
    change = world.delete("m00001")
    assert world.settle(change).newly
    assert not world.settle(change).newly
    assert pending(world) == stored(world)


def test_a_message_deleted_before_it_was_counted_was_never_there() -> None:
    world = World()
    world.chat(2)
    world.store.add_message(KEY, message(2, "보내자마자 지운 말"))
    world.settle(world.delete("m00002"))
    assert pending(world) == stored(world)


def test_an_edited_message_is_counted_as_it_is() -> None:
    world = World()
    world.chat(2)
    change = world.edit("m00000", "아까보다 훨씬 길게 고쳐 쓴 말이야")
    world.settle(change)
    world.settle(change)
    assert pending(world) == stored(world)
    assert world.store.messages[KEY]["m00000"].token_count == len(
        "아까보다 훨씬 길게 고쳐 쓴 말이야"
    )


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_events_of_one_message_may_come_in_any_order(order: tuple[int, ...]) -> None:
    world = World()
    first = message(0, "처음 쓴 말")
    world.store.add_message(KEY, first)
    edits = [world.edit("m00000", "두 번째로 쓴 말이야"), world.edit("m00000", "셋째")]
    deliveries: list[Callable[[], object]] = [
        lambda: world.deliver(first),
        lambda: world.settle(edits[0]),
        lambda: world.settle(edits[1]),
    ]
    for index in order:
        deliveries[index]()
    assert pending(world) == stored(world)


def test_a_message_of_which_the_retention_has_ended_was_not_taken_back() -> None:
    world = World()
    world.chat(1)
    change = world.delete("m00000")
    expired = change.message.model_copy(update={"expires_at": world.clock.now()})
    assert not world.settle(change.model_copy(update={"message": expired})).newly
    assert pending(world).pending_messages == 1


class Interrupted(FakeModel):
    """While the model thinks, something happens."""

    def __init__(self, *answers: str) -> None:
        super().__init__(*answers)
        self.happens: Callable[[], object] = lambda: None

    def generate(self, request: ModelRequest) -> Generation:
        answer = super().generate(request)
        happens, self.happens = self.happens, lambda: None
        happens()
        return answer


def interrupted() -> tuple[World, Interrupted]:
    model = Interrupted(summary("한 번째 맥락이다."), summary("두 번째 맥락이다."))
    world = World(model=model)
    world.chat(12)
    return world, model


def test_a_cycle_that_has_read_what_is_deleted_begins_anew() -> None:
    world, model = interrupted()
    world.say(message(12, "지우고 싶은 말이었다"))
    world.say(message(13, "그래도 남는 말이었다"))
    model.happens = lambda: world.settle(world.delete("m00012"))
    with pytest.raises(RetryLaterError):
        world.summarize()
    read = world.store.read_cycle(KEY, 1)
    assert read.cycle is not None
    assert (read.cycle.status, read.cycle.output, read.state.lease) == ("waiting", None, None)
    assert world.summarize().messages_consumed == 13
    assert "지우고 싶은" in model.requests[0].user
    assert "지우고 싶은" not in model.requests[1].user
    assert pending(world) == Counter()


def test_a_kept_output_of_what_was_edited_is_not_used() -> None:
    world, model = interrupted()
    world.say(message(12, "고치고 싶은 말이었다"), message(13, "대답이었다"))
    with world.dying_worker():
        world.summarize()
    world.settle(world.edit("m00012", "고친 말이다"))
    world.summarize()
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    assert "두 번째" in world.store.slots[KEY]["recent_context"].content
    assert "고친 말이다" in model.requests[1].user
    assert [
        (one.failure.failure_class, one.output and one.output.text) for one in cycle.rejections
    ] == [("transient", "")]
    assert pending(world) == Counter()


def test_a_change_of_what_a_cycle_has_not_read_lets_it_be() -> None:
    world, model = interrupted()
    late = message(20, "방금 쓴 말").model_copy(update={"created_at": world.clock.now()})

    def happens() -> None:
        world.say(late)
        world.settle(world.edit(late.message_id, "방금 고친 말이야"))

    with world.dying_worker():
        world.summarize()
    happens()
    assert world.summarize().outcome == "applied"
    assert len(model.requests) == 1
    assert pending(world) == Counter(pending_tokens=len("방금 고친 말이야"), pending_messages=1)


def test_a_change_that_is_overtaken_is_worked_out_anew() -> None:
    world = World(model=FakeModel(summary()))
    world.chat(12)
    change = world.edit("m00003", "고친 말")
    world.store.meanwhile = world.summarize
    world.settle(change)
    assert pending(world) == Counter()
    assert [one.message_id for one in world.store.states[KEY].reread] == ["m00003"]


def test_a_message_deleted_before_it_was_read_leaves_the_counter_whenever_that_is_known() -> None:
    world = World(model=FakeModel(summary()))
    world.chat(13)
    change = world.delete("m00006")
    last = world.delete("m00012")
    world.summarize()
    world.settle(change)
    world.settle(last)
    assert pending(world) == Counter()


def test_an_edit_and_the_deletion_after_it_are_two_changes() -> None:
    world = World()
    world.chat(1)
    edit = world.edit("m00000", "고친 말")
    gone = world.delete("m00000").model_copy(update={"changed_at": edit.changed_at})
    world.settle(edit)
    assert world.settle(gone).newly
    assert pending(world) == Counter()
