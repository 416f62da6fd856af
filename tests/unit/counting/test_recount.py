"""The counter made exact while messages go on being counted."""

import pytest

from shared.counting.recount import ATTEMPTS, recount
from shared.errors import RetryLaterError
from shared.model.thread import Counter
from tests.factories import KEY, World, message, summary
from tests.fakes import FakeModel
from tests.rollback_fakes import FakeCounters


def drifted(counter: Counter) -> tuple[World, FakeCounters]:
    """A thread of twelve consumed and five pending messages, whose counter has gone wrong."""
    world = World(model=FakeModel(summary()))
    world.chat(12)
    world.summarize()
    world.chat(5, start=12, text="열 글자로 된 말이다")
    world.store.counters[KEY] = counter
    return world, FakeCounters(world.store)


@pytest.mark.parametrize("wrong", [Counter(), Counter(pending_tokens=-7, pending_messages=99)])
def test_it_says_what_lies_after_the_cursor(wrong: Counter) -> None:
    world, counters = drifted(wrong)
    done = recount(KEY, memory=world.store, counters=counters)
    exact = Counter(pending_tokens=55, pending_messages=5)
    assert (done.before, done.after) == (wrong, exact)
    assert world.store.read_counter(KEY) == exact


def test_a_counter_that_is_right_is_left_alone() -> None:
    world, counters = drifted(Counter(pending_tokens=55, pending_messages=5))
    done = recount(KEY, memory=world.store, counters=counters)
    assert done.before == done.after
    assert counters.writes == 0


def test_a_message_that_nobody_has_counted_is_left_to_its_trigger() -> None:
    world, counters = drifted(Counter())
    world.store.add_message(KEY, message(17))
    assert recount(KEY, memory=world.store, counters=counters).after.pending_messages == 5
    world.deliver(world.store.messages[KEY]["m00017"])
    assert world.store.read_counter(KEY).pending_messages == 6


def test_a_message_counted_meanwhile_has_it_count_again() -> None:
    world, counters = drifted(Counter())
    counters.meanwhile = [Counter(pending_tokens=11, pending_messages=1)]
    done = recount(KEY, memory=world.store, counters=counters)
    assert done.before == Counter(pending_tokens=11, pending_messages=1)
    assert world.store.read_counter(KEY).pending_messages == 5


def test_it_gives_up_on_a_counter_that_never_holds_still() -> None:
    world, counters = drifted(Counter())
    counters.meanwhile = [Counter(pending_messages=1000 + n) for n in range(ATTEMPTS)]
    with pytest.raises(RetryLaterError):
        recount(KEY, memory=world.store, counters=counters)
    assert counters.writes == 0
