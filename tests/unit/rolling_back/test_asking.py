"""What may be asked for, how often, and which cycle goes first."""

import pytest

from shared.errors import (
    CycleUnderWayError,
    DocumentNotFoundError,
    InvalidArgumentError,
    StaleClaimError,
)
from shared.model.cycle import Cycle, Failure
from shared.model.thread import ThreadKey
from shared.summarizing import states
from tests.battery.models import summary_text
from tests.factories import KEY, World
from tests.unit.rolling_back.lives import (
    EACH,
    after,
    claim,
    cycle_of,
    due,
    live_on,
    lived,
    memory,
    roll_back,
)


def test_the_same_request_again_is_the_same_rollback() -> None:
    world = lived(3)
    world.settings = world.settings.model_copy(update={"cycle_trigger_tokens": 1_000})
    first = roll_back(world, 1)
    commits = world.store.commits
    assert roll_back(world, 1) == first
    assert world.store.commits == commits
    world.settings = world.settings.model_copy(update={"cycle_trigger_tokens": 100})
    live_on(world, 5)
    assert roll_back(world, 1) == first
    assert world.store.states[KEY].generation == 5


def test_two_deliveries_at_once_are_one_rollback(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lived(3)
    find_asked, deliveries = world.rollbacks.find_asked, iter(["second"])

    def overtaken(key: ThreadKey, request_id: str) -> Cycle | None:
        found = find_asked(key, request_id)
        if next(deliveries, None):
            roll_back(world, 1)
        return found

    monkeypatch.setattr(world.rollbacks, "find_asked", overtaken)
    with pytest.raises(StaleClaimError):
        roll_back(world, 1)
    assert world.store.states[KEY].generation == 4
    assert roll_back(world, 1).generation == 4


def test_a_request_stands_for_one_rollback_only() -> None:
    world = lived(3)
    roll_back(world, 1)
    with pytest.raises(InvalidArgumentError, match=r"request_id: .* generation 1"):
        roll_back(world, 2)


def test_going_back_to_where_memory_is_already_is_a_cycle_too() -> None:
    world = lived(2)
    roll_back(world, 1)
    done = roll_back(world, 1, request_id="r2")
    assert (done.generation, done.slots_changed) == (4, ())
    assert (done.entries_withdrawn, done.pending_messages) == (0, 0)
    assert memory(world) == after(world, 1)


@pytest.mark.parametrize("generation", [2, 3, 99, -1])
def test_there_must_be_an_earlier_generation(generation: int) -> None:
    world = lived(2)
    commits = world.store.commits
    with pytest.raises(InvalidArgumentError, match="present generation, 2"):
        roll_back(world, generation)
    assert world.store.commits == commits


@pytest.mark.parametrize(("target", "missing"), [(3, 3), (2, 2), (1, 2), (0, 1)])
def test_an_audit_that_is_missing_is_named_and_nothing_is_changed(
    target: int, missing: int
) -> None:
    world = lived(4)
    del world.store.cycles[KEY, f"{missing:06d}"]
    commits = world.store.commits
    with pytest.raises(DocumentNotFoundError, match=f"threads/sohee/cycles/{missing:06d}"):
        roll_back(world, target)
    assert world.store.commits == commits


def test_what_is_older_than_the_audits_stays_where_it_is() -> None:
    world = lived(4)
    entries = {name for name in world.store.entries[KEY] if name < "000004"}
    turns = world.store.states[KEY].turns
    del world.store.cycles[KEY, "000001"], world.store.cycles[KEY, "000002"]
    done = roll_back(world, 3)
    assert memory(world) == after(world, 3)
    assert set(world.store.entries[KEY]) == entries
    assert done.pending_messages == EACH
    undone = cycle_of(world, 4).consumed
    assert undone is not None
    assert world.store.states[KEY].turns == turns - undone.turns


def test_a_thread_that_does_not_exist_is_named() -> None:
    world = World()
    world.store.threads.clear()
    with pytest.raises(DocumentNotFoundError, match="users/u1/threads/sohee"):
        roll_back(world, 0)


def test_a_cycle_under_way_goes_first() -> None:
    world, read = due(2)
    claim(world, read)
    commits = world.store.commits
    with pytest.raises(CycleUnderWayError, match="000003"):
        roll_back(world, 1)
    assert world.store.commits == commits


@pytest.mark.parametrize("kind", ["seed", "import"])
def test_what_nobody_would_ask_for_again_goes_first(kind: str) -> None:
    world, _ = due(2, kind)
    with pytest.raises(CycleUnderWayError, match=f"000003, a {kind}, is queued"):
        roll_back(world, 1)


def test_a_summary_that_has_not_begun_gives_its_place_up_and_is_asked_for_again() -> None:
    world, _ = due(2)
    done = roll_back(world, 1)
    assert done.cycle_id == "000003"
    assert cycle_of(world, 3).kind == "rollback"
    assert cycle_of(world, 4).kind == "summary"
    assert world.store.read_counter(KEY).pending_messages == 2 * EACH


@pytest.mark.parametrize("kind", ["summary", "seed"])
def test_what_was_given_up_gives_its_place_up(kind: str) -> None:
    world, read = due(2, kind)
    failure = Failure(failure_class="configuration", reason="403")
    held = claim(world, read)
    world.store.commit(KEY, held, states.block(held, failure=failure))
    assert roll_back(world, 1).cycle_id == "000003"
    assert cycle_of(world, 3).failure is None


def test_what_an_output_has_cost_stays_in_the_audit_and_what_it_said_does_not() -> None:
    """Its messages are pending: nothing would tie them to this record once they are deleted."""
    world, _ = due(2)
    world.model.answers.append(summary_text(3))
    world.clock.pass_time(60)
    with world.dying_worker():
        world.summarize(3)
    assert cycle_of(world, 3).status == "generated"
    roll_back(world, 1)
    (kept,) = cycle_of(world, 3).rejections
    assert kept.output is not None
    assert (kept.output.text, kept.output.tokens_in > 0) == ("", True)
    now = cycle_of(world, 3)
    assert (now.output, now.consumed) == (None, None)


def test_a_search_for_a_refused_message_begins_anew() -> None:
    world = lived(2)
    world.store.states[KEY] = world.store.states[KEY].model_copy(update={"suspects": 4})
    roll_back(world, 1)
    assert world.store.states[KEY].suspects is None
