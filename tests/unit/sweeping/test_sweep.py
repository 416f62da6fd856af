"""What the platform lost is found, bounded, and one broken thread starves nobody."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from shared.errors import ModelMisconfiguredError, RetryLaterError
from shared.model.thread import Message, Thread, ThreadKey
from shared.ports import Versioned
from shared.running.run_cycle import RunCycle, run_cycle
from shared.sweeping.sweep import SweepPorts, SweepReport, sweep
from shared.sweeping.sweep_ports import (
    Bookmark,
    Checked,
    Page,
    Position,
    Uncounted,
    Unfinished,
    Unremembered,
    Unseeded,
)
from tests.factories import FIRST_MEMORY, KEY, NOW, World, message, play, play_summaries, summary
from tests.fakes import FakeModel, FakeStore


class FakeIrregularities:
    """Looks through a FakeStore; `broken` threads raise when they are worked on."""

    def __init__(self, store: FakeStore) -> None:
        self.store = store
        self.bookmark = Bookmark()

    def uncounted_messages(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Uncounted]:
        found = [
            Uncounted(thread=key, message=Versioned(message=one, version=None))
            for key, messages in self.store.messages.items()
            for one in messages.values()
            if one.token_count is None and since <= one.created_at < until
        ]
        found.sort(key=lambda one: one.message.message.created_at)
        if len(found) <= limit:
            return Checked(items=found, until=until)
        return Checked(items=found[:limit], until=found[limit].message.message.created_at)

    def unseeded_threads(
        self, since: datetime, until: datetime, *, limit: int
    ) -> Checked[Unseeded]:
        found = [
            Unseeded(thread=key, created_at=thread.created_at)
            for key, thread in self.store.threads.items()
            if thread.memory_status == "pending"
            and thread.created_at is not None
            and since <= thread.created_at < until
        ]
        return Checked(items=found[:limit], until=until)

    def stalled_cycles(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unfinished]:
        found = [
            Unfinished(thread=key, cycle=stored.cycle)
            for (key, _), stored in self.store.cycles.items()
            if stored.cycle is not None
            and stored.cycle.status in {"queued", "claimed", "generated", "waiting", "blocked"}
            and (stored.cycle.moved_at or NOW) <= before
        ]
        return Page(items=found[:limit])

    def due_threads(self, trigger: int, *, after: Position | None, limit: int) -> Page[ThreadKey]:
        due = sorted(
            (counter.pending_tokens, key.uid, key)
            for key, counter in self.store.counters.items()
            if counter.pending_tokens >= trigger
        )
        rest = [one for one in due if after is None or one[:2] > (after.value, after.path)]
        page = rest[:limit]
        more = Position(value=page[-1][0], path=page[-1][1]) if len(page) == limit else None
        return Page(items=[key for *_, key in page], after=more)

    def unremembered_threads(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[Unremembered]:
        found = [
            Unremembered(thread=key, version=None)
            for key, since in self.store.pending_since.items()
            if since <= before and self.store.read_counter(key).pending_messages > 0
        ]
        return Page(items=found[:limit])

    def correct(self, found: Unremembered, pending_since: datetime | None) -> None:
        if pending_since is None:
            del self.store.pending_since[found.thread]
        else:
            self.store.pending_since[found.thread] = pending_since

    def waiting_imports(
        self, before: datetime, *, after: Position | None, limit: int
    ) -> Page[ThreadKey]:
        found = [
            key
            for key, held in self.store.imports.items()
            if held.live.waiting_since is not None and held.live.waiting_since <= before
        ]
        return Page(items=found[:limit])

    def read_bookmark(self) -> Bookmark:
        return self.bookmark

    def write_bookmark(self, bookmark: Bookmark) -> None:
        self.bookmark = bookmark


def run(world: World, look: FakeIrregularities | None = None) -> SweepReport:
    return sweep(
        ports=SweepPorts(
            irregularities=look or FakeIrregularities(world.store),
            memory=world.store,
            threads=world.store,
            tasks=world.tasks,
            tokens=world.tokens,
            breaker=world.breaker,
            clock=world.clock,
            settings=world.settings,
        )
    )


def started() -> World:
    """A thread whose seed has ended."""
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    return world


def lost(world: World, *messages: Message) -> None:
    """Messages whose triggers never came."""
    for one in messages:
        world.store.add_message(KEY, one)


def test_nothing_wrong_sets_nothing_going() -> None:
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    world.chat(5)
    report = run(world)
    assert report.model_dump() == {
        "messages_counted": 0,
        "seeds_asked": 0,
        "cycles_roused": 0,
        "cycles_asked": 0,
        "imports_asked": 0,
        "probes": 0,
        "failed": 0,
        "errors": (),
        "finished": True,
    }


def test_messages_that_no_trigger_counted_are_counted_and_make_a_cycle_due() -> None:
    world = started()
    lost(world, *(message(number, "열 글자로 된 말이다") for number in range(12)))
    assert run(world).messages_counted == 12
    assert world.store.read_counter(KEY).pending_messages == 12
    assert [generation for _, generation, _ in world.tasks.queued] == [1]
    assert run(world).messages_counted == 0


def test_what_is_a_moment_old_is_left_to_its_trigger() -> None:
    world = started()
    lost(world, message(0).model_copy(update={"created_at": NOW - timedelta(seconds=30)}))
    assert run(world).messages_counted == 0
    world.clock.pass_time(300)
    assert run(world).messages_counted == 1


def test_a_run_is_bounded_and_the_next_goes_on() -> None:
    world = started()
    world.settings = world.settings.model_copy(update={"sweep_limit": 5})
    lost(world, *(message(number) for number in range(12)))
    look = FakeIrregularities(world.store)
    reports = [run(world, look) for _ in range(3)]
    assert [one.messages_counted for one in reports] == [5, 5, 2]
    assert [one.finished for one in reports] == [False, False, True]


def test_a_thread_whose_trigger_was_lost_is_seeded() -> None:
    world = World(model=FakeModel(FIRST_MEMORY))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
    world.clock.pass_time(600)
    assert run(world).seeds_asked == 1
    ((key, generation, _),) = world.tasks.queued
    run_cycle(RunCycle(thread=key, generation=generation), ports=world.ports)
    assert world.store.threads[KEY].memory_status == "ready"


def nothing_to_seed(messages: int) -> World:
    """A chat whose seed the sweep put on record, and which found nothing to read."""
    world = World(model=FakeModel(summary()))
    world.chat(messages)
    world.clock.pass_time(600)
    assert run(world).seeds_asked == 1
    run_cycle(RunCycle(thread=KEY, generation=1), ports=world.ports)
    return world


def test_a_seed_on_record_with_nothing_to_read_leaves_its_place_to_a_summary() -> None:
    world = nothing_to_seed(12)
    assert world.store.threads[KEY].memory_status == "empty"
    run_cycle(RunCycle(thread=KEY, generation=1), ports=world.ports)
    assert world.store.states[KEY].generation == 1
    assert world.store.read_counter(KEY).pending_messages == 0


def test_a_seed_with_nothing_to_read_leaves_no_summary_that_is_not_due() -> None:
    world = nothing_to_seed(2)
    world.clock.pass_time(16 * 60)
    tasks = len(world.tasks.queued)
    assert run(world).cycles_roused == 0
    assert len(world.tasks.queued) == tasks


def test_a_cycle_whose_task_vanished_gets_another() -> None:
    world = started()
    world.model = FakeModel(summary())
    world.chat(12)
    world.tasks.queued.clear()
    assert run(world).cycles_roused == 0
    world.clock.pass_time(16 * 60)
    assert run(world).cycles_roused == 1
    assert [request for *_, request in world.tasks.queued] == [2]
    assert world.summarize().outcome == "applied"


def test_a_seed_that_waits_for_nothing_is_roused() -> None:
    from shared.errors import ModelUnavailableError

    world = World(model=FakeModel(ModelUnavailableError("503"), FIRST_MEMORY))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
    with pytest.raises(RetryLaterError):
        world.seed()
    world.clock.pass_time(16 * 60)
    assert run(world).cycles_roused == 1
    run_cycle(RunCycle(thread=KEY, generation=1), ports=world.ports)
    assert world.store.threads[KEY].memory_status == "ready"


def test_a_cycle_that_a_worker_holds_is_left_alone() -> None:
    world = started()
    world.settings = world.settings.model_copy(update={"lease_seconds": 3_600})
    world.chat(12)
    world.model.answers = []
    with pytest.raises(IndexError):
        world.summarize()
    world.clock.pass_time(16 * 60)
    assert run(world).cycles_roused == 0
    world.clock.pass_time(3_600)
    assert run(world).cycles_roused == 1


def test_a_thread_that_is_due_and_has_no_cycle_gets_one() -> None:
    world = started()
    world.chat(12)
    world.tasks.queued.clear()
    world.store.cycles.clear()
    assert run(world).cycles_asked == 1
    assert [generation for _, generation, _ in world.tasks.queued] == [1]


def test_a_rejected_cycle_is_asked_for_again_after_ever_longer_pauses() -> None:
    world = started()
    world.model = FakeModel(*["아니요."] * 20)
    world.chat(12)
    asked = []
    for _ in range(144):
        try:
            world.summarize()
        except RetryLaterError:
            world.summarize()
        world.clock.pass_time(600)
        asked.append(run(world).cycles_asked)
    assert sum(asked) == 7
    assert asked[0] == 1


def test_an_open_breaker_lets_one_cycle_probe() -> None:
    world = started()
    world.model = FakeModel(ModelMisconfiguredError("403"))
    world.chat(12)
    world.summarize()
    world.breaker.failures = 3
    world.clock.pass_time(16 * 60)
    report = run(world)
    assert (report.probes, report.cycles_asked) == (1, 0)
    world.model.answers = [summary()]
    assert world.summarize().outcome == "applied"
    assert not world.breaker.is_open()


def test_a_blocked_seed_is_tried_again_when_its_cause_is_mended() -> None:
    world = World(model=FakeModel(ModelMisconfiguredError("403"), FIRST_MEMORY))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.")}
    assert world.seed().memory_status == "failed"
    world.clock.pass_time(16 * 60)
    assert run(world).cycles_roused == 1
    run_cycle(RunCycle(thread=KEY, generation=1), ports=world.ports)
    assert world.store.threads[KEY].memory_status == "ready"


def test_one_broken_thread_starves_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    world.settings = world.settings.model_copy(update={"sweep_limit": 2})
    keys = [ThreadKey(uid=f"u{number}", soul_id="sohee") for number in range(5)]
    for key in keys:
        world.store.counters[key] = world.store.read_counter(key).model_copy(
            update={"pending_tokens": 500}
        )
    read = world.store.read_cycle

    def broken(key: ThreadKey, generation: int | None) -> object:
        if key.uid in {"u0", "u1"}:
            raise RetryLaterError("this thread cannot be read")
        return read(key, generation)

    monkeypatch.setattr(world.store, "read_cycle", broken)
    look = FakeIrregularities(world.store)
    reports = [run(world, look) for _ in range(3)]
    assert [one.failed for one in reports] == [2, 0, 0]
    assert sum(one.cycles_asked for one in reports) == 3
    asked: Sequence[str] = sorted(key.uid for key, *_ in world.tasks.queued)
    assert asked == ["u2", "u3", "u4"]


def test_what_failed_once_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = started()
    lost(world, *(message(number) for number in range(4)))
    count, calls = world.store.count_tokens, iter([True, False, True, True])

    def sometimes(*args: object, **named: object) -> object:
        if not next(calls, True):
            raise TimeoutError
        return count(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(world.store, "count_tokens", sometimes)
    look = FakeIrregularities(world.store)
    first = run(world, look)
    assert (first.messages_counted, first.failed, first.errors) == (3, 1, ("TimeoutError",))
    assert run(world, look).messages_counted == 1


def test_what_fails_for_a_day_no_longer_holds_the_look_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = started()
    lost(world, message(0).model_copy(update={"created_at": NOW - timedelta(hours=1)}))
    monkeypatch.setattr(world.store, "count_tokens", lambda *_, **__: 1 / 0)
    look = FakeIrregularities(world.store)
    assert run(world, look).failed == 1
    held = look.bookmark.messages_until
    world.clock.pass_time(24 * 3_600)
    assert run(world, look).failed == 1
    assert held is not None
    assert look.bookmark.messages_until is not None
    assert look.bookmark.messages_until > held + timedelta(hours=20)


def test_a_probe_is_the_first_cycle_that_may_be_asked_again() -> None:
    world = started()
    world.model = FakeModel(ModelMisconfiguredError("403"))
    world.chat(12)
    world.summarize()
    young = world.store.cycles[KEY, "000001"].cycle
    assert young is not None
    pausing = ThreadKey(uid="u0", soul_id="sohee")
    old = young.model_copy(update={"requests": 9, "moved_at": NOW - timedelta(minutes=30)})
    world.store.cycles = {
        (pausing, "000001"): world.store.cycles[KEY, "000001"].model_copy(update={"cycle": old}),
        **world.store.cycles,
    }
    world.breaker.failures = 3
    world.clock.pass_time(16 * 60)
    assert run(world).probes == 1
    assert [key for key, *_ in world.tasks.queued if key == pausing] == []
