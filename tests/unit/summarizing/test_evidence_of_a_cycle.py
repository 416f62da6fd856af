"""A cycle's output is held against the messages it was made from, now and on a retry (PRD §5.3)."""

import pytest

from functions.adapters.extractive import ExtractiveModel
from shared.model.cycle import Cycle
from shared.settings import Settings
from shared.summarizing import snapshot, sources
from tests.factories import FIRST_MEMORY, KEY, World, message, play, play_summaries, summary
from tests.fakes import FakeModel

BULLET = "- [Messenger / DM / 2026-05-27 (수) / 필름] 소희가 필름을 현상소에 맡겼다."
FALSE = '- [Messenger / DM / 2026-05-27 (수) / 말] 소희가 "평생 기다릴게"라고 말했다. (m2)'
QUOTED = '- [Messenger / DM / 2026-05-27 (수) / 말] 소희가 "9번째 말"이라고 말했다. (m10)'


def answer(*bullets: str) -> str:
    return summary().replace(BULLET, "\n".join(bullets))


def due(*answers: str) -> World:
    world = World(model=FakeModel(*answers))
    world.say(*(message(n, f"{n}번째 말이라고 길게 했다") for n in range(12)))
    return world


def cycle_of(world: World) -> Cycle:
    cycle = world.store.read_cycle(KEY, 1).cycle
    assert cycle is not None
    return cycle


def reasons(world: World) -> list[str]:
    found = [event.model_dump() for event in world.events.emitted]
    return [one["reason"] for one in found if one["event"] == "conflict_dm_memory_update"]


def test_the_audit_says_what_each_line_rests_on() -> None:
    world = due(answer(f"{BULLET} (m1, m3)", QUOTED))
    world.summarize()
    rows = [(row.slot, row.sources, row.verdict) for row in cycle_of(world).evidence]
    assert rows == [
        ("long_term_memory", ("m00000", "m00002"), "supported"),
        ("long_term_memory", ("m00009",), "supported"),
        ("lorebook", (), "no_source"),
    ]
    consumed = cycle_of(world).consumed
    assert consumed is not None
    assert consumed.message_ids == tuple(f"m{n:05d}" for n in range(12))
    assert "(m" not in world.store.slots[KEY]["long_term_memory"].content


def test_a_line_that_was_not_said_is_no_memory_and_one_event() -> None:
    world = due(answer(f"{BULLET} (m1)", FALSE))
    assert world.summarize().outcome == "applied"
    assert world.store.slots[KEY]["long_term_memory"].content == BULLET
    assert reasons(world) == ["quote_not_found"]
    assert "평생" not in "".join(event.model_dump_json() for event in world.events.emitted)
    assert cycle_of(world).evidence[1].verdict == "quote_not_found"


def test_a_label_does_not_rise() -> None:
    low = BULLET.replace("필름을 현상소에 맡겼다", "{user}와 썸을 타는 사이다")
    high = BULLET.replace("소희가 필름을 현상소에 맡겼다", "소희와 {user}는 연인이다") + " (m1)"
    world = due(answer(f"{low} (m1)"), answer(high))
    world.say(*(message(n, "우리 썸 타는 거 맞지, 맞아") for n in range(12, 14)))
    world.summarize()
    first = world.store.slots[KEY]["long_term_memory"].content
    world.chat(12, start=14)
    world.summarize(2)
    assert "썸" in first
    assert world.store.slots[KEY]["long_term_memory"].content == first
    assert "promotion" in reasons(world)


def test_dropped_lines_are_no_sudden_loss() -> None:
    bullets = [BULLET.replace("필름]", f"{n}]") for n in range(10)]
    false = [FALSE.replace("말]", f"다른 {n}]") for n in range(9)]
    world = due(answer(*bullets), answer(bullets[0], *false))
    world.summarize()
    world.chat(12, start=12)
    assert world.summarize(2).outcome == "applied"
    assert reasons(world) == ["quote_not_found"] * 9


@pytest.mark.parametrize("page", [3, sources.PAGE])
def test_a_kept_output_is_held_against_the_same_messages(
    page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "PAGE", page)
    world = due(answer(f"{BULLET} (m1)", QUOTED))
    with world.dying_worker():
        world.summarize()
    late = message(0, "늦게 온 말").model_copy(update={"message_id": "a-late-one"})
    world.store.add_message(KEY, late)
    del world.store.messages[KEY]["m00000"]
    assert world.summarize().outcome == "applied"
    assert [row.verdict for row in cycle_of(world).evidence][:2] == ["supported", "supported"]
    assert cycle_of(world).evidence[1].sources == ("m00009",)
    assert len(world.model.requests) == 1


def test_a_soul_that_is_gone_by_then_blocks_the_cycle() -> None:
    world = due(summary(), summary())
    with world.dying_worker():
        world.summarize()
    souls = dict(world.store.souls)
    world.store.souls.clear()
    assert world.summarize().outcome == "blocked"
    world.store.souls.update(souls)
    world.say(message(12, "다시 열 글자로 된 말이다" * 10))
    assert world.summarize().outcome == "applied"


def test_a_cycle_takes_no_more_messages_than_it_can_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_MESSAGES", 5)
    world = due(summary())
    assert world.summarize().messages_consumed == 5
    assert world.store.read_counter(KEY).pending_messages == 7


def seeded(*answers: str) -> World:
    world = World(model=FakeModel(*answers))
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {
        "p1": play_summaries('소희가 "먼저 가"라고 했다.', "소희가 결승선에서 {user}를 기다렸다.")
    }
    return world


def first_memory(text: str) -> str:
    return FIRST_MEMORY.replace("소희가 결승선 앞에서 {user}를 기다렸다.", text)


def test_a_seed_names_its_summaries() -> None:
    world = seeded(first_memory('소희가 "먼저 가"라고 말했다. (s1, s2)'))
    world.seed()
    row = cycle_of(world).evidence[0]
    assert (row.sources, row.verdict) == (("p1/0", "p1/1"), "supported")
    assert world.store.slots[KEY]["long_term_memory"].content.endswith('"먼저 가"라고 말했다.')


def test_a_seed_that_invents_is_corrected() -> None:
    good = '소희가 결승선에서 {user}를 기다렸다. (s2)\n- [Episode / "강변 레이스" / 봄 / 끝] '
    world = seeded(first_memory(good + "둘은 연인이 되었다. (s2)"))
    world.seed()
    assert reasons(world) == ["promotion"]
    assert "연인" not in world.store.slots[KEY]["long_term_memory"].content


def test_a_kept_seed_is_held_against_the_same_summaries() -> None:
    world = World(model=FakeModel('- 소희가 "먼저 가"라고 했다.\n', ""))
    world.model.answers[1] = first_memory('소희가 "먼저 가"라고 말했다. (s1)')
    world.plays.plays = [play("p1", scene_count=10)]
    from tests.factories import scenes

    world.plays.stored_scenes = {"p1": scenes(10)}
    with world.dying_worker():
        world.seed()
    assert world.seed().memory_status == "ready"
    assert cycle_of(world).evidence[0].verdict == "supported"
    assert len(world.model.requests) == 2


CHATS = {
    "korean": [
        "나 합정에서 디자인 학원 다녀",
        "합정이면 우리 동네랑 가깝네",
        '고마워, 그때 "나중에 보자"고 약속해 줘서',
        "약속할게. 토요일 두 시에\n합정역에서 보자",
        "우리 사귀는 거야? 사랑해",
        "그건 아직 모르겠어… 미안해",
        "전화는 010-1234-5678이야, 꼭 전화해",
        "“그래” 기억할게 「정말」 그리고 `이것`도 == 사랑",
    ],
    "english": [
        "My name is Dana and I work at a bakery in Portland",
        'You said "never again", remember? I was afraid. I love you',
        "I promised my sister Ruth a birthday cake, don't forget",
        "I'm sorry, Ruth's train comes from Seattle on Saturday",
    ],
}


@pytest.mark.parametrize("name", CHATS)
def test_the_stand_in_rests_on_what_was_said(name: str) -> None:
    world = World(settings=Settings(cycle_trigger_tokens=400, cycle_max_tokens=1_200))
    world.model = ExtractiveModel(world.tokens)  # type: ignore[assignment]
    for number in range(120):
        text = CHATS[name][number % len(CHATS[name])]
        world.say(message(number, text if number % 3 else f"{text} ({number})"))
    generation = 1
    while world.store.read_counter(KEY).pending_tokens >= 400:
        assert world.summarize(generation).outcome == "applied"
        generation += 1
    found = {
        row.verdict
        for one in world.store.cycles.values()
        if one.cycle
        for row in one.cycle.evidence
    }
    assert generation > 2
    assert found <= {"supported", "carried"}
    assert reasons(world) == []
