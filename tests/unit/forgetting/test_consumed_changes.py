"""Messages that memory has consumed: what rests on them goes, and is written anew from the rest."""

import pytest

from shared.model.cycle import Cycle
from shared.model.slots import SLOT_NAMES
from shared.recall.loading import RecallIndexes
from tests.factories import KEY, World, message
from tests.fakes import FakeModel

FIRST = """=== MEMORY ===
## Recent context
- {user}의 강아지 콩이가 아픈 일을 이어서 묻기로 했다.
- 주말에 사진을 찾으러 가기로 했다.

## Long-term memory(LTM)
- [Messenger / DM / 2026-05-27 (수) / 필름] 소희가 필름을 현상소에 맡겼다. (m1)
- [Messenger / DM / 2026-05-27 (수) / 강아지] {user}가 강아지가 아프다고 했다. (m3)
- [Messenger / DM / 2026-05-27 (수) / 둘] 소희가 걱정하고 {user}가 고마워했다. (m3, m4)

## Soul persona
### Relational
- 사진 이야기를 할 때 말이 빨라진다.

## User persona
### Profile
- 키우는 강아지: 콩이
### How Soul sees the user
- 끝까지 듣는 사람으로 본다.

=== LOREBOOK ===
### 현상소
- keywords: 필름, 현상소
- 시점: 2026-05-27 (수)
- 기록: 소희가 필름을 현상소에 맡겼다.
- sources: m1

### 아픈 강아지
- keywords: 강아지
- 시점: 2026-05-27 (수)
- 기록: {user}가 강아지가 아프다고 했다.
- sources: m3

### 걱정
- keywords: 걱정
- 시점: 2026-05-27 (수)
- 기록: 소희가 걱정하고 {user}가 고마워했다.
- sources: m3, m4
"""
SECOND = (
    FIRST.replace("- {user}의 강아지 콩이가 아픈 일을 이어서 묻기로 했다.\n", "")
    .replace(
        "- [Messenger / DM / 2026-05-27 (수) / 강아지] {user}가 강아지가 아프다고 했다. (m3)\n", ""
    )
    .replace("(m3, m4)", "(m1)")
    .replace(
        " (m1)\n- [Messenger / DM / 2026-05-27 (수) / 둘]",
        "\n- [Messenger / DM / 2026-05-27 (수) / 둘]",
    )
    .replace("### Profile\n- 키우는 강아지: 콩이\n", "### Profile\n")
)
SECOND = (
    SECOND[: SECOND.index("### 현상소")]
    + """### 되짚은 걱정
- keywords: 걱정
- 시점: 2026-05-27 (수)
- 기록: 소희가 걱정하고 {user}가 고마워했다.
- sources: m1
"""
)
SAID = (
    "필름은 현상소에 맡겼어?",
    "응, 필름 현상소에 맡겼어. 강아지는?",
    "우리 콩이가 많이 아파",
    "걱정돼. 강아지 괜찮아져야 할 텐데",
    "고마워",
)


def remembered(*answers: str) -> World:
    """A thread whose first cycle has consumed five messages, the third of them about Kongi."""
    world = World(model=FakeModel(FIRST, *answers))
    world.say(*(message(n, text, role="soul" if n % 2 else "user") for n, text in enumerate(SAID)))
    world.chat(12, start=5)
    assert world.summarize().outcome == "applied"
    return world


def memory(world: World) -> str:
    return "\n".join(world.store.slots[KEY][name].content for name in SLOT_NAMES)


def everything(world: World) -> str:
    """All that is stored of the thread but its messages."""
    cycles = [read.cycle for read in world.store.cycles.values() if read.cycle]
    entries = [one.model_dump_json() for one in world.store.entries[KEY].values()]
    return "\n".join([memory(world), *entries, *(one.model_dump_json() for one in cycles)])


def cycle(world: World, generation: int = 1) -> Cycle:
    found = world.store.read_cycle(KEY, generation).cycle
    assert found is not None
    return found


def test_what_rests_on_a_deleted_message_goes_at_once() -> None:
    world = remembered()
    assert "콩이" in everything(world)
    assert world.settle(world.delete("m00002")).withdrawn == 5
    assert "콩이" not in everything(world)
    assert memory(world) == (
        "- [Messenger / DM / 2026-05-27 (수) / 필름] 소희가 필름을 현상소에 맡겼다.\n"
        "- 사진 이야기를 할 때 말이 빨라진다.\n"
        "### How Soul sees the user\n- 끝까지 듣는 사람으로 본다.\n"
        "- 주말에 사진을 찾으러 가기로 했다."
    )
    assert [one.title for one in world.store.entries[KEY].values()] == ["현상소", "걱정"]


def test_slots_stay_what_the_last_cycle_left() -> None:
    world = remembered()
    world.settle(world.delete("m00002"))
    after = cycle(world).after
    assert after is not None
    assert all(world.store.slots[KEY][name].content == after.of(name) for name in SLOT_NAMES)


def test_an_entry_with_another_source_stays_and_rests_on_that() -> None:
    world = remembered()
    world.settle(world.delete("m00002"))
    entry = world.store.entries[KEY]["000001-002"]
    assert entry.source_ids == ("m00003",)
    state = world.store.states[KEY]
    index = RecallIndexes(world.store).index_of(KEY, state, world.store.shards[KEY][0])
    assert [one.entry_id for one in index.fields] == ["000001-000", "000001-002"]


def test_the_next_cycle_reads_again_what_the_withdrawn_lines_rested_on() -> None:
    world = remembered(SECOND)
    world.settle(world.delete("m00002"))
    assert [one.message_id for one in world.store.states[KEY].reread] == ["m00003"]
    world.chat(12, start=20)
    assert world.summarize(2).messages_consumed == 12
    [_, request] = world.model.requests
    assert "콩이" not in request.user
    assert "m1 소희: 걱정돼" in request.user
    assert cycle(world, 2).consumed.message_ids[0] == "m00003"  # type: ignore[union-attr]
    assert "소희가 걱정하고 {user}가 고마워했다." in memory(world)
    assert world.store.states[KEY].reread == ()
    assert world.store.read_counter(KEY).pending_messages == 0


def test_a_change_that_is_begun_anew_takes_the_same_back() -> None:
    """Only the audit of the cycle that read the message again says what rests on it."""
    world = remembered(SECOND)
    world.settle(world.edit("m00002", "우리 두부가 많이 아파"))
    world.chat(12, start=20)
    world.summarize(2)
    line = "소희가 걱정하고 {user}가 고마워했다."
    assert line in memory(world)
    change = world.delete("m00002")
    world.store.meanwhile = lambda: world.settle(world.edit("m00004", "고마워 정말 고마워"))
    assert world.settle(change).newly
    after = cycle(world, 2).after
    assert after is not None
    assert line not in after.long_term_memory
    assert line not in memory(world)
    assert not any(one.lines for one in world.store.changes.values())


def test_what_the_lorebook_has_kept_is_not_told_twice() -> None:
    world = remembered(SECOND)
    world.settle(world.delete("m00002"))
    world.chat(12, start=20)
    world.summarize(2)
    assert [one.title for one in world.store.entries[KEY].values()] == ["현상소", "걱정"]


def test_an_edited_message_is_read_as_it_is_now() -> None:
    world = remembered(SECOND)
    world.settle(world.edit("m00002", "우리 두부가 많이 아파"))
    assert "콩이" not in everything(world)
    reread = [one.message_id for one in world.store.states[KEY].reread]
    assert reread == ["m00002", "m00003"]
    world.chat(12, start=20)
    world.summarize(2)
    assert "m1 {user}: 우리 두부가 많이 아파" in world.model.requests[1].user


def test_a_second_delivery_leaves_the_new_memory_alone() -> None:
    world = remembered(SECOND.replace("끝까지 듣는", "두부를 아끼는"))
    change = world.edit("m00002", "우리 두부가 많이 아파")
    world.settle(change)
    world.chat(12, start=20)
    world.summarize(2)
    before = memory(world)
    assert not world.settle(change).newly
    assert memory(world) == before
    assert "두부" in before


def test_accounts_hold_what_is_there() -> None:
    world = remembered()
    consumed = cycle(world).consumed
    assert consumed is not None
    world.settle(world.delete("m00002"))
    world.settle(world.edit("m00004", "고마워 정말 고마워"))
    now = cycle(world).consumed
    assert now is not None
    assert now.count == consumed.count - 1
    assert now.tokens == consumed.tokens - len(SAID[2]) + len(" 정말 고마워")


def test_what_was_there_before_does_not_rest_on_it() -> None:
    world = remembered(FIRST.replace("(m1)", "").replace("(m3)", "").replace("(m3, m4)", ""))
    world.say(message(20, "콩이 얘기 또 해도 돼?"))
    world.chat(12, start=21)
    world.summarize(2)
    before = world.store.slots[KEY]["user_relational_persona"].content
    world.settle(world.delete("m00020"))
    assert world.store.slots[KEY]["user_relational_persona"].content == before


def test_a_rejected_output_does_not_keep_it_either() -> None:
    world = World(model=FakeModel("콩이가 아프다고 했다", "콩이가 아프다고 했다"))
    world.say(*(message(n, text, role="soul" if n % 2 else "user") for n, text in enumerate(SAID)))
    world.chat(12, start=5)
    with pytest.raises(Exception, match="format"):
        world.summarize()
    assert world.summarize().outcome == "rejected"
    change = world.delete("m00002")
    world.settle(change)
    assert "콩이" not in cycle(world).model_dump_json()


def test_a_slot_may_lose_all_that_it_holds() -> None:
    world = remembered()
    world.settle(world.delete("m00000"))
    world.settle(world.delete("m00002"))
    assert world.store.slots[KEY]["long_term_memory"].content == ""
