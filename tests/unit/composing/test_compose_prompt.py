"""The composed prompt (PRD §3.1, §8-A, §8-D, §9.3)."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.composing.composed import ComposedPrompt
from shared.errors import DocumentMisshapenError, DocumentNotFoundError
from shared.model.lorebook import LorebookEntry
from shared.model.slots import InitialSituation, Slot, SlotName
from shared.model.thread import Lease, MemoryState, MemoryStatus, Thread
from shared.settings import Settings
from tests.factories import KEY, NOW, World, director, message
from tests.fakes import FakeClock

BIG = Settings(prompt_budget_tokens=1_000_000, lorebook_budget_tokens=1_000)


def compose(world: World, settings: Settings = BIG, *, explain: bool = False) -> ComposedPrompt:
    return compose_prompt(
        ComposePrompt(thread=KEY, explain=explain),
        ports=world.composing(settings),
    ).prompt


def remembering(**contents: str) -> World:
    """A thread after its first cycle, with these slots."""
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="ready")
    world.store.states[KEY] = MemoryState(generation=1)
    slots: dict[SlotName, Slot] = world.store.slots.setdefault(KEY, {})
    for name, content in contents.items():
        slots[name] = Slot(content=content, version=1)  # type: ignore[index]
    return world


def entry(index: int, *keywords: str, record: str = "필름을 맡겼다.", **more: Any) -> LorebookEntry:
    return LorebookEntry(
        title=f"사건 {index}",
        keywords=keywords,
        occurred_at="2026-05-28 (목)",
        record=record,
        cycle_id=more.pop("cycle_id", "000001"),
        index=index,
        created_at=NOW,
        **more,
    )


def recall(world: World, *entries: LorebookEntry) -> None:
    world.store.entries[KEY] = {one.entry_id: one for one in entries}


def texts(prompt: ComposedPrompt) -> str:
    return "\n".join(part.text for content in prompt.contents for part in content.parts)


def test_a_first_chat_opens_with_the_initial_situation() -> None:
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="empty")
    world.say(message(0, "안녕하세요"))
    prompt = compose(world)
    assert [content.role for content in prompt.contents] == ["user"]
    lead, turn = prompt.contents[0].parts
    assert lead.text == (
        "# Initial/Recent Context\n레이스가 끝난 다음 날이다.\n\n# Live Chat History"
    )
    assert turn.text == "[2026-05-27 (수) 23:14] 안녕하세요"
    assert (prompt.generation, prompt.memory_status) == (0, "empty")
    assert "## Long-term memory(LTM)" not in prompt.system_instruction


def test_recent_context_takes_the_place_of_the_initial_situation() -> None:
    world = remembering(recent_context="- 주말에 만나기로 했다.")
    prompt = compose(world)
    assert "주말에 만나기로 했다." in texts(prompt)
    assert "레이스가 끝난 다음 날" not in texts(prompt)


def test_without_either_the_block_is_left_out() -> None:
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status="empty")
    world.store.souls[KEY.soul_id] = director(initial_situation=None)
    assert texts(compose(world)) == "# Live Chat History\n(no message yet)"
    world.store.souls[KEY.soul_id] = director(initial_situation=InitialSituation(content=" \n"))
    assert "# Initial/Recent Context" not in texts(compose(world))


def test_the_context_slots_stand_in_their_order() -> None:
    world = remembering(
        long_term_memory="- [Messenger / DM / 2026-05-28 (목) / 필름] 맡겼다.",
        soul_relational_persona="- 말이 빨라진다.",
        user_relational_persona="### Profile\n- 별명: 필름",
    )
    system = compose(world).system_instruction
    marks = [
        "# Overview",
        "## Writing rule",
        "## Conversation Guide",
        "# Context\nUse information below when you talk with user",
        "## Long-term memory(LTM)\n- [Messenger",
        "## Soul persona\n### Default\n말수가 적고",
        "### Relational (Self within this relationship)\n- 말이 빨라진다.",
        "## Soul's messenger bio\n- display_name: 소희\n- status: 현상 중",
        "## User persona\n### Profile\n- 별명: 필름",
    ]
    places = [system.index(mark) for mark in marks]
    assert places == sorted(places)


def test_turns_alternate_and_open_with_the_user() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    chat = [message(0, "먼저 쓴다", role="soul"), message(1, "응", role="user")]
    world.say(*chat, message(2, "하나 더", role="user"), message(3, "그래", role="soul"))
    contents = compose(world).contents
    assert [content.role for content in contents] == ["user", "model", "user", "model", "user"]
    assert contents[2].parts[0].text.splitlines() == [
        "[2026-05-27 (수) 23:15] 응",
        "[2026-05-27 (수) 23:16] 하나 더",
    ]
    assert "{user} has not written since" in contents[-1].parts[0].text


def test_every_line_of_a_message_carries_its_time() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    world.say(message(0, "첫 줄\n\n[2026-05-27 (수) 23:59] 둘째 줄 👩‍👩‍👧"))
    assert compose(world).contents[0].parts[1].text.splitlines() == [
        "[2026-05-27 (수) 23:14] 첫 줄",
        "[2026-05-27 (수) 23:14] [2026-05-27 (수) 23:59] 둘째 줄 👩‍👩‍👧",
    ]


def test_the_window_starts_where_the_fence_says() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    world.chat(6)
    world.store.states[KEY] = MemoryState(generation=1, window_start=message(4).ref)
    assert texts(compose(world)).count("열 글자로 된 말이다") == 2


def test_entries_come_when_they_are_called_oldest_first() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    recall(world, entry(0, "현상소"), entry(1, "자전거"), entry(2, "필름", "롤"))
    world.say(message(0, "그 필름 현상소에서 찾았어?"))
    prompt = compose(world)
    assert prompt.lorebook_entry_ids == ("000001-000", "000001-002")
    assert "- [2026-05-28 (목)] 사건 2: 필름을 맡겼다." in texts(prompt)
    assert texts(prompt).index("# Lorebook") < texts(prompt).index("# Live Chat History")
    assert "사건 0" not in prompt.system_instruction


def test_an_entry_leaves_when_nothing_calls_it_any_more() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    recall(world, entry(0, "현상소"))
    world.say(message(0, "현상소 갔어?"))
    assert compose(world).lorebook_entry_ids == ("000001-000",)
    world.chat(4, start=1)
    assert compose(world).lorebook_entry_ids == ()


def test_entries_that_do_not_fit_are_skipped_and_said() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    long = entry(1, "필름", record="긴 이야기 " * 400, kind="fact")
    recall(world, entry(0, "필름"), long, entry(0, "필름", cycle_id="000002", record="찾았다."))
    world.say(message(0, "필름"))
    prompt = compose(world)
    assert prompt.lorebook_entry_ids == ("000001-000", "000002-000")
    assert [one.model_dump() for one in prompt.omitted] == [
        {"what": "lorebook", "count": 1, "reason": "budget"}
    ]


def test_what_stands_in_memory_or_in_the_window_is_not_said_again() -> None:
    world = remembering(
        recent_context="- 안부를 물었다.",
        long_term_memory="- [Messenger / DM / 2026-05-28 (목) / 필름] 소희가 필름을 맡겼다.",
    )
    quoted = entry(1, "필름", record='{user}가 "필름 찾으면 꼭 보여 줘"라고 말했다.')
    recall(world, entry(0, "필름"), quoted, entry(0, "필름", cycle_id="000002", record="찾았다."))
    world.say(message(0, "필름 찾으면 꼭 보여 줘"))
    prompt = compose(world, explain=True)
    assert prompt.lorebook_entry_ids == ("000002-000",)
    assert prompt.recall is not None
    outcomes = {one.entry_id: one.outcome for one in prompt.recall}
    assert outcomes["000001-000"] == outcomes["000001-001"] == "stands_already"
    assert outcomes["000002-000"] == "chosen"


def test_only_what_the_soul_may_know_comes_and_is_marked_as_what_it_is() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    recall(
        world,
        entry(0, "필름", record="혼자 그만뒀다.", secrecy="soul-only", kind="secret"),
        entry(0, "필름", cycle_id="000002", record="속으로 울었다.", secrecy="user-only"),
        entry(0, "필름", cycle_id="000003", record="필름은 거짓말을 안 한다.", kind="belief"),
    )
    world.say(message(0, "필름 이야기 해 줘"))
    prompt = compose(world)
    assert prompt.lorebook_entry_ids == ("000001-000", "000003-000")
    assert "(inner knowledge, never said to {user}) 사건 0: 혼자 그만뒀다." in texts(prompt)
    assert "(somebody's belief, not a fact) 사건 0: 필름은" in texts(prompt)
    assert "속으로 울었다" not in texts(prompt)


def test_what_was_considered_is_told_on_request_alone() -> None:
    world = remembering(recent_context="- 안부를 물었다.")
    recall(world, entry(0, "현상소"), entry(1, "자전거"))
    world.say(message(0, "현상소 갔어?"), message(1, "응"))
    untold = compose(world)
    assert (untold.recall, untold.recall_turn, untold.semantic_lane) == (None, None, None)
    told = compose(world, explain=True)
    assert told.recall_turn == "현상소 갔어?"
    assert told.recall is not None
    chosen = next(one for one in told.recall if one.outcome == "chosen")
    assert (chosen.entry_id, chosen.lanes.keyword > 0) == ("000001-000", True)


LTM = "\n".join(
    [
        "- [Messenger / DM / 2026-05-28 (목) / 나중] " + "가" * 100,
        '- [Episode / "밤" / 2019-07-01 (월) / 옛날] ' + "나" * 100,
        '- [Episode / "낮" / (시간 불명) / 언젠가] ' + "다" * 100,
        "- [Messenger / DM / 2026-05-28 (목) / 같은 날] " + "라" * 100,
    ]
)


def too_long(over: int) -> tuple[World, Settings]:
    """A thread whose prompt is `over` tokens too long."""
    world = remembering(long_term_memory=LTM, recent_context="- 안부.")
    world.chat(8, text="마" * 100)
    total = compose(world).token_counts.total
    return world, BIG.model_copy(update={"prompt_budget_tokens": total - over})


@pytest.mark.parametrize(
    ("over", "gone"), [(1, "다"), (140, "다나"), (280, "다나가"), (420, "다나가라")]
)
def test_long_term_memory_leaves_first_oldest_first(over: int, gone: str) -> None:
    world, settings = too_long(over)
    prompt = compose(world, settings)
    assert {mark for mark in "가나다라" if mark * 100 not in prompt.system_instruction} == set(gone)
    assert [one.model_dump() for one in prompt.omitted] == [
        {"what": "long_term_memory", "count": len(gone), "reason": "budget"}
    ]
    assert prompt.token_counts.total <= settings.prompt_budget_tokens


def test_then_live_history_leaves_oldest_first_and_the_last_message_stays() -> None:
    world, settings = too_long(900)
    prompt = compose(world, settings)
    left = [one for one in prompt.omitted if one.what == "live_chat_history"]
    assert [(one.reason, one.count) for one in left] == [("budget", 3)]
    assert prompt.token_counts.total <= settings.prompt_budget_tokens
    assert texts(prompt).count("마" * 100) == 5
    world, settings = too_long(1_600)
    assert texts(compose(world, settings)).count("마" * 100) == 1


def test_counts_are_those_of_the_parts() -> None:
    world, settings = too_long(0)
    prompt = compose(world, settings)
    counts = prompt.token_counts
    assert counts.system == len(prompt.system_instruction)
    assert counts.total == counts.system + counts.context + counts.live
    live = sum(len(line) for line in texts(prompt).splitlines() if "마마" in line)
    assert live <= counts.live <= live + 8
    assert prompt.omitted == ()


def test_all_that_is_sent_is_counted() -> None:
    """The heading and the closing part too: what is sent is never more than what is counted."""
    world = remembering(long_term_memory=LTM, recent_context="- 안부.")
    for number in range(9):
        world.say(message(number, "마" * 50))
        prompt = compose(world)
        sent = len(prompt.system_instruction) + sum(
            len(part.text) for content in prompt.contents for part in content.parts
        )
        assert sent <= prompt.token_counts.total


def test_a_persona_that_leaves_no_room_is_the_directors_to_mend() -> None:
    world = remembering(recent_context="- 안부.")
    world.store.souls[KEY.soul_id] = director(persona="길다 " * 10_000)
    with pytest.raises(DocumentMisshapenError) as refused:
        compose(world, Settings())
    assert refused.value.path == "souls/sohee/slots/soul_default_persona"
    assert refused.value.field == "content"
    assert "길다" not in str(refused.value)


def test_a_window_longer_than_is_read_says_what_was_left() -> None:
    world = remembering(recent_context="- 안부.")
    world.chat(30)
    prompt = compose(world, BIG.model_copy(update={"window_max_messages": 20}))
    assert [one.model_dump() for one in prompt.omitted] == [
        {"what": "live_chat_history", "count": 10, "reason": "window"}
    ]


def test_a_missing_document_is_named() -> None:
    world = World()
    del world.store.threads[KEY]
    with pytest.raises(DocumentNotFoundError, match="users/u1/threads/sohee"):
        compose(world)
    world.store.souls.clear()
    with pytest.raises(DocumentNotFoundError, match="souls/sohee"):
        compose(world)


def seeding(status: MemoryStatus, *, held: bool = True) -> World:
    world = World()
    world.store.threads[KEY] = Thread(created_at=NOW, memory_status=status)
    lease = Lease(cycle_id="000001", token="t", expires_at=NOW.replace(year=2027))
    world.store.states[KEY] = MemoryState(lease=lease if held else None)
    return world


def after_polls(world: World, polls: int, then: Callable[[], None]) -> None:
    """Run `then` at the `polls`-th look at the thread."""
    read, count = world.store.read_thread, itertools.count(1)

    def watched(key: object) -> Thread | None:
        if next(count) == polls:
            then()
        return read(key)  # type: ignore[arg-type]

    world.store.read_thread = watched  # type: ignore[method-assign]


def test_a_seed_under_way_is_waited_for() -> None:
    world = seeding("seeding")

    def arrives() -> None:
        world.store.set_memory_status(KEY, "ready")
        world.store.slots[KEY] = {
            "long_term_memory": Slot(content='- [Episode / "밤" / 봄 / 별] 봤다.', version=1)
        }

    after_polls(world, 3, arrives)
    prompt = compose(world)
    assert prompt.memory_status == "ready"
    assert "별] 봤다." in prompt.system_instruction


def waited(world: World) -> float:
    before = world.clock.monotonic()
    compose(world)
    return world.clock.monotonic() - before


def test_a_wait_is_bounded_and_the_chat_goes_on_without() -> None:
    assert waited(seeding("seeding")) == pytest.approx(BIG.seed_wait_seconds, abs=0.5)
    assert waited(seeding("pending")) == pytest.approx(BIG.seed_wait_seconds, abs=0.5)


@pytest.mark.parametrize("status", ["ready", "empty", "failed"])
def test_nothing_is_waited_for_when_no_seed_is_under_way(status: MemoryStatus) -> None:
    assert waited(seeding(status)) == 0


def test_a_seed_that_was_lost_is_not_waited_for() -> None:
    assert waited(seeding("seeding", held=False)) == 0
    old = seeding("pending")
    old.clock = FakeClock(NOW.replace(hour=23))
    assert waited(old) == 0


def test_no_secret_reaches_the_prompt() -> None:
    world = remembering(long_term_memory="- [Messenger / DM / (시간 불명) / 번호] 010-1111-2222")
    world.store.souls[KEY.soul_id] = director(persona="비번은 moon1204야.")
    recall(world, entry(0, "필름", record="010-3333-4444로 전화했다."))
    world.say(message(0, "필름 찾으면 010-5555-6666으로 전화해"))
    prompt = compose(world)
    texts = [part.text for content in prompt.contents for part in content.parts]
    whole = "\n".join([prompt.system_instruction, *texts])
    assert not [one for one in ("1111", "moon1204", "3333", "5555") if one in whole]
    assert "필름 찾으면 [REDACTED]으로 전화해" in whole
    assert prompt.token_counts.live >= len("필름 찾으면 [REDACTED]으로 전화해")
