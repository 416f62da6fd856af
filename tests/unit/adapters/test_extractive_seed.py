"""The v4 documents and episode summaries of the stand-in."""

import pytest

from shared.seeding.write_summaries import read_summaries
from shared.summarizing.memory_document import parse_first_memory
from tests.unit.adapters.asking import ask_first_memory, ask_scenes

EPISODES = """### 에피소드 1: 옥상의 첫눈
- [고등학교 2학년 겨울] 소희와 {user}는 옥상에서 첫눈을 맞았다. 소희는 {user} 앞에서만 울었다.
- [(시간 불명)] {user}는 디자인 학원에 다녔다. 소희는 {user}를 끝까지 가는 사람이라고 생각했다.
### 에피소드 2: 강변 "레이스" / 결승 [재]
- [2025-08-02] 소희는 결승선 앞에서 {user}를 기다렸다. 두 사람은 같이 들어왔다. 메달은 하나였다.
"""


def test_a_first_memory() -> None:
    output = parse_first_memory(ask_first_memory(EPISODES))
    assert 4 <= len(output.ltm) <= 12
    assert output.ltm[0] == (
        '[Episode / "옥상의 첫눈" / 고등학교 2학년 겨울 / 소희와 {user}는 옥상에서] '
        "소희와 {user}는 옥상에서 첫눈을 맞았다."
    )
    assert any("\"강변 '레이스'·결승 (재)\" / 2025-08-02 / " in bullet for bullet in output.ltm)
    assert any(" / (시간 불명) / " in bullet for bullet in output.ltm)
    assert output.relational == ["소희는 {user} 앞에서만 울었다."]
    assert output.profile == ["{user}는 디자인 학원에 다녔다."]
    assert output.how == ["소희는 {user}를 끝까지 가는 사람이라고 생각했다."]


def test_many_summaries_give_twelve_memories_from_first_to_last() -> None:
    lines = [f"- [{day}일] {day}번째 날에 두 사람은 걸었다." for day in range(1, 51)]
    output = parse_first_memory(ask_first_memory("### 에피소드 1: 산책\n" + "\n".join(lines)))
    assert len(output.ltm) == 12
    assert " 1번째" in output.ltm[0]
    assert " 50번째" in output.ltm[-1]


def test_an_import_is_merged_into_the_memory_so_far() -> None:
    memory = (
        "## Long-term memory(LTM)\n"
        "- [Messenger / DM / 2026-05-09 (토) / 첫 필름] 소희가 필름을 샀다.\n"
        '- [Episode / "강변" / 2025-08-02 / 결승] 소희는 결승선 앞에서 {user}를 기다렸다. '
        "두 사람은 같이 들어왔다. 메달은 하나였다.\n\n"
        "## Soul persona\n### Relational\n- 사진 이야기를 할 때 말이 빨라진다."
    )
    once = parse_first_memory(ask_first_memory(EPISODES, memory))
    assert once.ltm[0].endswith("소희가 필름을 샀다.")
    assert len(once.ltm) <= 12
    assert sum("소희는 결승선 앞에서" in bullet for bullet in once.ltm) == 1
    assert once.relational == [
        "사진 이야기를 할 때 말이 빨라진다.",
        "소희는 {user} 앞에서만 울었다.",
    ]


def test_an_import_into_a_full_memory_leaves_most_of_it() -> None:
    bullets = [
        f"- [Messenger / DM / 2026-05-{day:02d} / {day}째 이야기] 소희가 {day}째 필름을 맡겼다."
        for day in range(1, 13)
    ]
    memory = "## Long-term memory(LTM)\n" + "\n".join(bullets)
    output = parse_first_memory(ask_first_memory(EPISODES, memory))
    kept = [bullet for bullet in output.ltm if bullet.startswith("[Messenger / ")]
    assert (len(output.ltm), len(kept)) == (12, 8)
    assert all(f"- {bullet}" in bullets for bullet in kept)


def test_an_english_record() -> None:
    record = "### 에피소드 1: Rooftop\n- [winter] Theo waited for {user}. They watched the snow."
    output = parse_first_memory(ask_first_memory(record))
    assert output.ltm[0] == (
        '[Episode / "Rooftop" / winter / Theo waited for {user}] Theo waited for {user}.'
    )


@pytest.mark.parametrize(("scenes", "most"), [(1, 1), (5, 5), (40, 8)])
def test_scenes_become_one_to_eight_paragraphs(scenes: int, most: int) -> None:
    text = "\n".join(
        f'### 장면 {n}\n소희가 {n}번 창문을 열었다.\n\n"춥지 않아?" {{user}}가 물었다.'
        for n in range(1, scenes + 1)
    )
    summaries = read_summaries(ask_scenes(text))
    assert len(summaries) == most
    assert summaries[0].startswith("소희가 1번 창문을 열었다.")
    assert all(len(line) <= 300 for line in summaries)
