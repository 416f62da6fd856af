"""Each class of model failure has its own way (design, point 8)."""

from collections.abc import Callable

import pytest

from shared.errors import (
    ModelBlockedError,
    ModelError,
    ModelMisconfiguredError,
    ModelNotFoundError,
    ModelOutputError,
    ModelUnavailableError,
    RetryLaterError,
)
from shared.model.cycle import Cycle
from shared.model.generation import Generation, ModelRequest
from shared.model.thread import Counter, MessageRef
from shared.settings import Settings
from tests.factories import KEY, World, message, play, play_summaries, summary
from tests.fakes import FakeModel


class Refusing(FakeModel):
    """Refuses every prompt in which `is_refused` finds something; answers all others."""

    def __init__(self, is_refused: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_refused = is_refused
        self.refusals = 0

    def generate(self, request: ModelRequest) -> Generation:
        if self._is_refused(request.user):
            self.requests.append(request)
            self.refusals += 1
            raise ModelBlockedError("SAFETY")
        self.answers.append(summary(f"{len(self.requests)}번째 요약이다."))
        return super().generate(request)


def cycle_of(world: World, generation: int = 1) -> Cycle:
    cycle = world.store.read_cycle(KEY, generation).cycle
    assert cycle is not None
    return cycle


def run_until_quiet(world: World) -> None:
    """Run what is due, as often as the queue would, until nothing is left to do."""
    for _ in range(100):
        generation = world.store.read_cycle(KEY, None).state.generation + 1
        found = world.store.read_cycle(KEY, generation).cycle
        if found is None or found.status in {"rejected", "blocked"}:
            return
        try:
            world.summarize(generation)
        except RetryLaterError:
            world.clock.pass_time(10)
    raise AssertionError("the cycles never came to rest")


@pytest.mark.parametrize("bad", [0, 1, 30, 62, 63])
def test_one_refused_message_is_found_and_set_aside(bad: int) -> None:
    model = Refusing(lambda prompt: "금지된 말" in prompt)
    world = World(model=model, settings=Settings(cycle_trigger_tokens=60))
    texts = ["괜찮은 말이다"] * 64
    texts[bad] = "금지된 말이다"
    for number, text in enumerate(texts):
        world.say(message(number, text))
    run_until_quiet(world)
    run_until_due(world)
    marked = [one for one in world.store.messages[KEY].values() if one.set_aside_by]
    assert [one.message_id for one in marked] == [f"m{bad:05d}"]
    assert marked[0].text == "금지된 말이다"
    listed = [ref.message_id for ref in set_aside_of(world)]
    assert listed == [f"m{bad:05d}"]
    assert model.refusals <= 2 + 7
    assert world.store.read_counter(KEY) == Counter()
    assert world.store.states[KEY].suspects is None
    assert "message_set_aside" in [e.model_dump().get("reason") for e in world.events.emitted]


def run_until_due(world: World) -> None:
    """What is left below the trigger is asked for by the messages that follow."""
    left = world.store.read_counter(KEY).pending_messages
    if left:
        world.say(*(message(number, "뒤따른 말이다") for number in range(64, 94)))
        run_until_quiet(world)
        rest = world.store.read_counter(KEY)
        assert rest.pending_tokens < 60
        world.store.counters[KEY] = Counter()


def set_aside_of(world: World) -> list[MessageRef]:
    return [
        ref
        for stored in world.store.cycles.values()
        if stored.cycle is not None
        for ref in stored.cycle.set_aside
    ]


def test_a_refused_memory_blocks_the_cycle_and_costs_no_message() -> None:
    world = World(model=Refusing(lambda prompt: True), settings=Settings(cycle_trigger_tokens=60))
    for number in range(16):
        world.say(message(number, "괜찮은 말이다"))
    run_until_quiet(world)
    assert cycle_of(world).status == "blocked"
    assert not [one for one in world.store.messages[KEY].values() if one.set_aside_by]
    assert world.store.read_counter(KEY).pending_messages == 16


def test_a_refusal_that_does_not_come_back_costs_one_try() -> None:
    world = World(model=FakeModel(ModelBlockedError("SAFETY"), summary()))
    world.chat(12)
    run_until_quiet(world)
    assert cycle_of(world).status == "applied"
    assert world.store.states[KEY].suspects is None


def test_a_seed_that_is_refused_twice_fails() -> None:
    world = World(model=FakeModel(ModelBlockedError("SAFETY"), ModelBlockedError("SAFETY")))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
    with pytest.raises(RetryLaterError):
        world.seed()
    assert world.seed().memory_status == "failed"


@pytest.mark.parametrize(
    ("error", "status", "tries"),
    [
        (ModelUnavailableError("503"), "waiting", 99),
        (ModelOutputError("MAX_TOKENS"), "rejected", 2),
        (ModelMisconfiguredError("403"), "blocked", 1),
        (ModelNotFoundError("404"), "blocked", 1),
    ],
)
def test_the_class_decides_where_a_cycle_ends(error: ModelError, status: str, tries: int) -> None:
    world = World(model=FakeModel(*[error] * 99))
    world.chat(12)
    made = 0
    while made < min(tries, 20):
        made += 1
        try:
            world.summarize()
        except RetryLaterError:
            assert cycle_of(world).status == "waiting"
    assert (cycle_of(world).status, len(world.model.requests)) == (status, made)
    assert world.store.states[KEY].lease is None
    assert world.store.read_counter(KEY).pending_messages == 12


def test_three_wrong_settings_in_a_row_open_the_breaker() -> None:
    world = World(model=FakeModel(*[ModelMisconfiguredError("403")] * 3))
    for number in range(12):
        world.say(message(number))
    for start in (0, 12, 24):
        world.chat(12, start=start)
        assert world.summarize().outcome == "blocked"
    world.chat(12, start=36)
    assert world.summarize().outcome == "blocked"
    assert len(world.model.requests) == 3
    world.breaker.grant_probe()
    world.model.answers = [summary()]
    world.chat(12, start=48)
    assert world.summarize().outcome == "applied"
    assert not world.breaker.is_open()


def test_a_missing_document_is_no_wrong_setting_of_the_model() -> None:
    world = World()
    world.chat(12)
    world.store.souls.clear()
    assert world.summarize().outcome == "blocked"
    assert world.breaker.failures == 0


def test_a_provider_that_asks_for_a_pause_gets_one() -> None:
    error = ModelUnavailableError("429", retry_after_seconds=37)
    world = World(model=FakeModel(error, summary()))
    world.chat(12)
    for _ in range(3):
        with pytest.raises(RetryLaterError):
            world.summarize()
    assert len(world.model.requests) == 1
    world.clock.pass_time(37)
    assert world.summarize().outcome == "applied"


def test_a_day_without_budget_waits_and_asks_no_model() -> None:
    world = World(model=FakeModel(summary()))
    world.budget.calls_left = 0
    world.chat(12)
    with pytest.raises(RetryLaterError):
        world.summarize()
    failure = cycle_of(world).failure
    assert failure is not None
    assert (cycle_of(world).status, failure.failure_class) == ("waiting", "budget")
    assert world.model.requests == []
    world.budget.calls_left = 1
    assert world.summarize().outcome == "applied"


def test_what_was_reserved_is_settled_by_what_was_used() -> None:
    world = World(model=FakeModel(ModelUnavailableError("503"), "아니요.", summary()))
    world.chat(12)
    for _ in range(2):
        with pytest.raises(RetryLaterError):
            world.summarize()
    world.summarize()
    calls = [f"2026-05-28 sohee-000001-{attempt}-1" for attempt in (1, 2, 3)]
    assert list(world.budget.reserved) == list(world.budget.settled) == calls
    assert world.budget.settled[calls[0]] == 0
    output = cycle_of(world).output
    assert output is not None
    assert world.budget.settled[calls[2]] == output.tokens_in + output.tokens_out
    assert all(world.budget.settled[call] <= world.budget.reserved[call] for call in calls)


def test_the_audit_says_what_a_cycle_cost() -> None:
    world = World(model=FakeModel(summary()))
    world.chat(12)
    world.summarize()
    output = cycle_of(world).output
    assert output is not None
    assert output.model_asked == "gemini-3-flash-preview"
    assert output.cost_microdollars == round(output.tokens_in * 0.5 + output.tokens_out * 3)
