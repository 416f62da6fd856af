"""A message is counted once, and one cycle is asked for (PRD §6.1)."""

from hypothesis import given
from hypothesis import strategies as st

from shared.counting.record_message import is_cycle_due
from shared.model.thread import Counter
from tests.factories import KEY, World, image_message, message


def test_a_message_adds_its_tokens_and_its_mark() -> None:
    world = World()
    recorded = world.say(message(0, "오늘 필름 맡겼어"))
    assert recorded.newly_counted
    assert world.store.read_counter(KEY) == Counter(pending_tokens=9, pending_messages=1)
    assert world.store.messages[KEY]["m00000"].token_count == 9


def test_an_image_counts_beside_its_text() -> None:
    world = World()
    world.settings = world.settings.model_copy(update={"image_tokens": 30})
    world.say(image_message(0), image_message(1, "여기야"))
    assert world.store.messages[KEY]["m00000"].token_count == 30
    assert world.store.messages[KEY]["m00001"].token_count == 33
    assert world.store.read_counter(KEY) == Counter(pending_tokens=63, pending_messages=2)


def test_a_second_delivery_changes_no_counter() -> None:
    world = World()
    world.say(message(0, "오늘 필름 맡겼어"))
    again = world.deliver(message(0, "오늘 필름 맡겼어"))
    assert not again.newly_counted
    assert world.store.read_counter(KEY).pending_tokens == 9


def test_one_cycle_is_asked_for_at_the_trigger() -> None:
    world = World()
    world.chat(9)
    assert world.tasks.queued == {}
    world.chat(5, start=9)
    assert list(world.tasks.queued) == [(KEY, 1, 1)]
    assert world.store.read_cycle(KEY, None).cycle.status == "queued"  # type: ignore[union-attr]


def test_the_task_waits_until_the_newest_messages_have_settled() -> None:
    world = World()
    world.chat(12)
    assert list(world.tasks.queued.values()) == [world.settings.settle_seconds]


def test_a_second_delivery_asks_again_when_the_first_died_before_the_task() -> None:
    world = World()
    world.chat(12)
    world.tasks.queued.clear()
    world.deliver(message(11))
    assert list(world.tasks.queued) == [(KEY, 1, 1)]


def test_a_rejected_cycle_is_asked_for_again_when_more_has_come() -> None:
    world = World()
    world.chat(12)
    world.model.answers = ["not a document", "neither"]
    for _ in range(2):
        try_to_summarize(world)
    assert world.store.read_cycle(KEY, 1).cycle.status == "rejected"  # type: ignore[union-attr]
    world.tasks.queued.clear()
    world.chat(2, start=12)
    assert len(world.tasks.queued) == 1
    assert world.store.read_cycle(KEY, 1).cycle.status == "queued"  # type: ignore[union-attr]


def try_to_summarize(world: World) -> None:
    from shared.errors import RetryLaterError

    try:
        world.summarize()
    except RetryLaterError:
        world.clock.pass_time(10)


@given(
    counts=st.lists(st.integers(min_value=1, max_value=4_000), min_size=1, max_size=400),
    trigger=st.integers(min_value=1, max_value=20_000),
)
def test_the_trigger_is_never_passed_in_silence(counts: list[int], trigger: int) -> None:
    pending, asked = 0, False
    for count in counts:
        due = is_cycle_due(pending, pending + count, trigger)
        pending += count
        assert not due or pending >= trigger
        asked = asked or due
    assert asked == (pending >= trigger)


@given(steps=st.lists(st.integers(min_value=1, max_value=99), min_size=1, max_size=300))
def test_asking_again_costs_a_message_in_many(steps: list[int]) -> None:
    pending, asks = 10_000, 0
    for count in steps:
        asks += is_cycle_due(pending, pending + count, 10_000)
        pending += count
    assert asks <= (pending - 10_000) // 1_000 + 1
