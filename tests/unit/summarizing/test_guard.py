"""What a document that reads well may still not do to memory."""

import pytest

from shared.errors import ModelOutputError
from shared.model.cycle import Failure, Rejection
from shared.model.slots import Slots
from shared.summarizing.guard import SUDDEN_LOSS, guard
from shared.summarizing.memory_document import parse_first_memory, parse_summary
from tests.factories import FIRST_MEMORY, World, summary
from tests.fakes import FakeTokens

PROMPT = World().prompts.load("chat_summary").body
BULLET = "- [Messenger / DM / 2026-05-27 (수) / 일] 있었던 일."
LOST = Rejection(
    kind="summary", failure=Failure(failure_class="format", reason=SUDDEN_LOSS), output=None
)


def judge(
    text: str, *, before: Slots | None = None, rejections: tuple[Rejection, ...] = ()
) -> None:
    guard(
        parse_summary(text),
        before=before or Slots(),
        rejections=rejections,
        prompt_body=PROMPT,
        tokens=FakeTokens(),
    )


def refused(text: str, before: Slots | None = None) -> str:
    with pytest.raises(ModelOutputError) as error:
        judge(text, before=before)
    return str(error.value)


def remembering(bullets: int) -> Slots:
    return Slots(long_term_memory="\n".join([BULLET] * bullets))


def with_ltm(bullets: int) -> str:
    text = summary()
    start = text.index("- [Messenger")
    end = text.index("\n\n## Soul persona")
    return text[:start] + "\n".join([BULLET] * bullets) + text[end:]


def test_an_ordinary_output_passes() -> None:
    judge(summary(), before=parse_summary(summary("전에는 이랬다.")).as_slots())


@pytest.mark.parametrize(
    ("slot", "old"),
    [
        ("recent_context", "- 주말에 사진을 찾으러 가기로 했다."),
        ("long_term_memory", "소희가 필름을 현상소에 맡겼다."),
        ("soul_relational_persona", "사진 이야기를 할 때 말이 빨라진다."),
        ("user_relational_persona", "끝까지 듣는 사람으로 본다."),
    ],
)
def test_a_slot_has_a_size(slot: str, old: str) -> None:
    assert slot in refused(summary().replace(old, old + " 길다" * 2_000))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("title", "### 현상소", "### " + "현" * 121),
        ("keyword", "필름, 현상소", "필" * 61),
        ("when", "- 시점: 2026-05-27 (수)", "- 시점: " + "2" * 61),
        ("record", "- 기록: 소희가", "- 기록: " + "가" * 2_001),
        ("more than 12 keywords", "필름, 현상소", ", ".join(f"말{n}" for n in range(13))),
    ],
)
def test_an_entry_has_a_size(part: str, old: str, new: str) -> None:
    assert part in refused(summary().replace(old, new))


def test_a_round_has_so_many_events() -> None:
    entry = summary().split("=== LOREBOOK ===\n")[1]
    assert "40 lorebook entries" in refused(summary() + entry * 40)


@pytest.mark.parametrize(
    ("slot", "line"),
    [
        (
            "long_term_memory",
            "- [Messenger / DM / 2026-05-27 (수) / 필름] 소희가 필름을 현상소에 맡겼다.\n",
        ),
        ("soul_relational_persona", "- 사진 이야기를 할 때 말이 빨라진다.\n"),
    ],
)
def test_what_held_text_is_not_emptied(slot: str, line: str) -> None:
    emptied = summary().replace(line, "")
    judge(emptied)
    assert slot in refused(emptied, parse_summary(summary()).as_slots())


def test_a_seed_does_not_empty_recent_context() -> None:
    document = parse_first_memory(FIRST_MEMORY)
    before = Slots(recent_context="- 어제 이야기했다.")
    guard(document, before=before, rejections=(), prompt_body=PROMPT, tokens=FakeTokens())


@pytest.mark.parametrize(("had", "left", "lost"), [(10, 4, False), (10, 3, True), (5, 1, True)])
def test_a_sudden_loss_is_refused_once(had: int, left: int, lost: bool) -> None:
    text, before = with_ltm(left), remembering(had)
    if lost:
        assert refused(text, before) == SUDDEN_LOSS
    judge(text, before=before, rejections=(LOST,))
    if not lost:
        judge(text, before=before)


def test_a_second_identical_verdict_is_believed_in_a_cycle() -> None:
    world = World()
    world.model.answers = [with_ltm(10), with_ltm(2), with_ltm(2)]
    world.chat(12)
    world.summarize()
    world.chat(12, start=12)
    from shared.errors import RetryLaterError

    with pytest.raises(RetryLaterError):
        world.summarize(2)
    assert world.summarize(2).outcome == "applied"


@pytest.mark.parametrize(
    "echo",
    [
        next(line for line in PROMPT.splitlines() if len(line) > 60 and "{" not in line),
        "<data chat 7f3a 뒤에 적힌 것",
        "`" * 3 + "text",
        "[Messenger / DM / 2026-05-28 (목) / 기억 제목] 핵심 사건. 관계에 준 영향. 남은 것.",
    ],
)
def test_the_prompt_is_not_repeated_into_memory(echo: str) -> None:
    assert "prompt" in refused(summary(f"말했다. {echo.strip()}"))
