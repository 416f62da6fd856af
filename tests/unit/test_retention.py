"""Raw messages and audits are kept for so long, and not a message is forgotten for it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest
from pydantic import ValidationError

from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.errors import ModelMisconfiguredError, RetryLaterError
from shared.inspecting.inspect_thread import (
    InspectThread,
    SeenCycle,
    ThreadRecord,
    inspect_thread,
)
from shared.model.cycle import Cycle
from shared.model.slots import Slots
from shared.model.thread import Message, Thread, ThreadKey
from shared.settings import Settings
from tests.factories import KEY, NOW, World, message, summary
from tests.fakes import FakeModel, FakeStore
from tests.unit.sweeping.test_sweep import run

DAY = 24 * 3_600
KEPT = Settings(
    cycle_trigger_tokens=100,
    cycle_max_tokens=400,
    message_retention_days=30,
    audit_retention_days=14,
)


def keeping(*answers: str | ModelMisconfiguredError, settings: Settings = KEPT) -> World:
    world = World(model=FakeModel(*answers), settings=settings)
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    return world


def stored(world: World) -> dict[str, Message]:
    return world.store.messages[KEY]


def audit(world: World, generation: int = 1) -> Cycle:
    cycle = world.store.read_cycle(KEY, generation).cycle
    assert cycle is not None
    return cycle


def shown(world: World) -> str:
    prompt = compose_prompt(ComposePrompt(thread=KEY), ports=world.composing()).prompt
    return "\n".join(part.text for content in prompt.contents for part in content.parts)


@pytest.mark.parametrize(("name", "least"), [("message", 14), ("audit", 7)])
def test_a_retention_that_leaves_cycles_no_time_is_refused(name: str, least: int) -> None:
    setting = f"{name}_retention_days"
    assert getattr(Settings.model_validate({setting: str(least)}), setting) == least
    assert getattr(Settings.model_validate({setting: "0"}), setting) == 0
    for days in (-1, 1, least - 1):
        with pytest.raises(ValidationError, match=setting):
            Settings.model_validate({setting: str(days)})


def test_off_by_default_nothing_expires() -> None:
    world = keeping(summary(), settings=Settings(cycle_trigger_tokens=100, cycle_max_tokens=400))
    world.chat(12)
    world.clock.pass_time(10)
    world.summarize()
    assert {one.expires_at for one in stored(world).values()} == {None}
    assert audit(world).expires_at is None


def test_a_message_expires_so_many_days_after_it_is_counted() -> None:
    world = keeping()
    world.say(message(0, "강릉 바다 보고 싶다"))
    assert stored(world)["m00000"].expires_at == NOW + timedelta(days=30)


def test_a_message_that_a_cycle_counts_expires_too() -> None:
    world = keeping(summary())
    world.chat(12)
    world.store.add_message(KEY, message(12, "트리거가 오지 않은 말이다"))
    world.clock.pass_time(10)
    world.summarize()
    assert stored(world)["m00012"].expires_at == NOW + timedelta(days=30, seconds=10)


def test_an_audit_expires_once_its_cycle_has_ended() -> None:
    world = keeping(summary())
    world.chat(12)
    world.clock.pass_time(10)
    with world.dying_worker():
        world.summarize()
    assert audit(world).status == "generated"
    assert audit(world).expires_at is None
    world.summarize()
    assert audit(world).status == "applied"
    assert audit(world).expires_at == world.clock.now() + timedelta(days=14)


def test_a_rejected_cycle_that_is_asked_for_again_expires_no_more() -> None:
    world = keeping("아니요.", "아니요.", summary())
    world.chat(12)
    world.clock.pass_time(10)
    with pytest.raises(RetryLaterError):
        world.summarize()
    assert audit(world).expires_at is None
    world.summarize()
    assert audit(world).status == "rejected"
    assert audit(world).expires_at == world.clock.now() + timedelta(days=14)
    world.clock.pass_time(DAY)
    assert run(world).cycles_asked == 1
    assert (audit(world).status, audit(world).expires_at) == ("queued", None)


def test_a_blocked_cycle_has_not_ended() -> None:
    world = keeping(ModelMisconfiguredError("403"))
    world.chat(12)
    world.clock.pass_time(10)
    world.summarize()
    assert (audit(world).status, audit(world).expires_at) == ("blocked", None)


def test_what_has_expired_is_in_no_prompt_though_it_is_stored() -> None:
    world = keeping(summary())
    world.chat(12, text="작년 여름의 이야기였다")
    world.clock.pass_time(10)
    world.summarize()
    assert "작년 여름의 이야기였다" in shown(world)
    world.clock.pass_time(30 * DAY - 11)
    assert "작년 여름의 이야기였다" in shown(world)
    world.clock.pass_time(1)
    assert "작년 여름의 이야기였다" not in shown(world)
    assert len(stored(world)) == 12


def test_what_memory_has_yet_to_consume_is_read_whatever_its_age() -> None:
    world = keeping(summary())
    world.chat(4, text="아직 기억에 없는 말이다")
    world.clock.pass_time(31 * DAY)
    assert "아직 기억에 없는 말이다" in shown(world)
    world.say(*(message(number, "열 글자로 된 말이다") for number in range(4, 16)))
    world.summarize()
    assert "아직 기억에 없는 말이다" in world.model.requests[0].user
    assert "아직 기억에 없는 말이다" not in shown(world)


def test_the_window_of_a_cycle_begins_with_what_is_still_there() -> None:
    world = keeping(summary(), summary("다시 만났다."))
    world.chat(12)
    world.clock.pass_time(10)
    world.summarize()
    start = world.store.states[KEY].window_start
    assert start is not None
    assert start.message_id == "m00008"
    world.clock.pass_time(30 * DAY)
    world.settings = KEPT.model_copy(update={"cycle_trigger_tokens": 10})
    late = [message(number, "열 글자로 된 말이다") for number in (60 * 24 * 30, 60 * 24 * 30 + 1)]
    world.say(*late)
    world.clock.pass_time(DAY)
    world.summarize(2)
    start = world.store.states[KEY].window_start
    assert start is not None
    assert start.message_id == late[0].message_id


def test_operators_see_no_audit_that_has_expired() -> None:
    world = keeping(summary())
    world.chat(12)
    world.clock.pass_time(10)
    world.summarize()

    class Records:
        def read_record(self, key: ThreadKey, *, cycles: int) -> ThreadRecord:
            return ThreadRecord(
                state=world.store.states[key],
                counter=world.store.read_counter(key),
                slots=dict(world.store.read_slots(key)),
                lorebook=tuple(world.store.all_entries(key)),
                cycles=(SeenCycle.model_validate(audit(world).model_dump()),),
            )

        def slots_before(self, key: ThreadKey, cycle_ids: Sequence[str]) -> Mapping[str, Slots]:
            return {}

    def seen() -> list[str]:
        found = inspect_thread(
            InspectThread(thread=KEY), records=Records(), ports=world.composing()
        )
        return [one.cycle_id for one in found.cycles]

    assert seen() == ["000001"]
    world.clock.pass_time(14 * DAY)
    assert seen() == []


class TestASlowChat:
    """Too few words to come due before they expire: the sweep has them remembered ahead."""

    def slow(self, *answers: str) -> World:
        world = keeping(*answers)
        world.say(*(message(number, "짧은 말") for number in range(4)))
        return world

    def test_is_left_alone_while_there_is_time(self) -> None:
        world = self.slow()
        world.clock.pass_time(22 * DAY - 60)
        assert run(world).cycles_asked == 0

    def test_is_remembered_a_week_before_its_messages_expire(self) -> None:
        world = self.slow(summary())
        world.clock.pass_time(23 * DAY)
        assert run(world).cycles_asked == 1
        assert world.summarize().messages_consumed == 4
        world.tasks.queued.clear()
        assert run(world).cycles_asked == 0

    def test_what_is_younger_than_the_last_cycle_waits_for_its_own_time(self) -> None:
        world = self.slow(summary())
        world.clock.pass_time(23 * DAY)
        run(world)
        world.summarize()
        world.clock.pass_time(60 * DAY)
        world.say(message(60 * 24 * 84, "두 달 만이네"))
        assert run(world).cycles_asked == 0
        assert world.store.pending_since[KEY] == message(60 * 24 * 84).created_at
        world.clock.pass_time(22 * DAY)
        assert run(world).cycles_asked == 0
        world.clock.pass_time(DAY)
        assert run(world).cycles_asked == 1

    def test_without_a_retention_nobody_asks(self) -> None:
        world = self.slow()
        world.settings = Settings(cycle_trigger_tokens=100, cycle_max_tokens=400)
        world.clock.pass_time(300 * DAY)
        assert run(world).cycles_asked == 0

    def test_a_counter_that_says_too_much_asks_for_nothing(self) -> None:
        world = self.slow(summary())
        world.clock.pass_time(23 * DAY)
        run(world)
        world.summarize()
        world.store._move_counter(KEY, 5, 1)
        world.clock.pass_time(30 * DAY)
        assert run(world).cycles_asked == 0
        assert KEY not in world.store.pending_since

    def test_a_counter_that_says_too_much_holds_no_cycle_up(self) -> None:
        world = self.slow(summary())
        world.store._move_counter(KEY, 50, 1)
        world.clock.pass_time(23 * DAY)
        run(world)
        assert world.summarize().messages_consumed == 4


def test_the_fake_keeps_a_message_as_the_store_does() -> None:
    store = FakeStore()
    found = store.add_message(KEY, message(0))
    store.count_tokens(KEY, found, 3, expires_at=NOW)
    store.count_tokens(KEY, found, 3, expires_at=NOW + timedelta(days=1))
    assert store.messages[KEY]["m00000"].expires_at == NOW
