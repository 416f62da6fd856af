"""An output against what it was made from: what stays, what goes, what the audit says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.model.slots import Slots
from shared.model.thread import Role
from shared.safety.evidence import Source
from shared.summarizing.checking import MAX_ROWS, Checked, OutputCheck, Reading
from shared.summarizing.ltm_bullet import read_bullet
from shared.summarizing.memory_document import SummaryOutput, parse_summary

DAY = "2026-05-27 (수)"
SAID: tuple[tuple[Role, str], ...] = (
    ("user", "필름 어디에 맡겼어?"),
    ("soul", "현상소에 맡겼어. 토요일에 찾으러 가자"),
    ("user", "좋아, 약속!"),
    ("soul", "민수한테도 말해 둘게"),
)
OLD = "[Messenger / DM / 2026-05-09 (토) / 썸] 둘은 썸을 타는 사이가 되었다."
QUARREL = "[Messenger / DM / 2026-05-10 (일) / 다툼] 소희와 {user}는 다퉜고 화해하지 않았다."


def reading(*said: tuple[Role, str], persona: str = "말수가 적다.") -> Reading:
    return Reading(
        sources=tuple(
            Source(source_id=f"m{n}", ref=f"id{n}", role=role, text=text, day=DAY)
            for n, (role, text) in enumerate(said or SAID, start=1)
        ),
        soul_name="소희",
        persona=persona,
    )


def output(**sections: list[str]) -> SummaryOutput:
    entries = sections.pop("lorebook", [])
    text = "=== MEMORY ===\n"
    for heading, name in [
        ("## Recent context", "recent"),
        ("## Long-term memory(LTM)", "ltm"),
        ("## Soul persona\n### Relational", "relational"),
        ("## User persona\n### Profile", "profile"),
        ("### How Soul sees the user", "how"),
    ]:
        lines = sections.get(name, ["이야기를 나눴다."] if name == "recent" else [])
        text += f"{heading}\n" + "".join(f"- {line}\n" for line in lines)
    return parse_summary(text + "=== LOREBOOK ===\n" + "\n".join(entries))


def entry(record: str, **fields: str) -> str:
    given = {"keywords": "필름, 현상소", "시점": DAY, "기록": record, "sources": "m2", **fields}
    title = given.pop("title", "필름")
    return f"### {title}\n" + "".join(f"- {name}: {text}\n" for name, text in given.items())


def bullet(text: str, name: str = "필름", when: str = DAY) -> str:
    return f"[Messenger / DM / {when} / {name}] {text}"


def check(
    written: SummaryOutput, *, before: Slots | None = None, read: Reading | None = None
) -> tuple[SummaryOutput, Checked]:
    return OutputCheck(read or reading(), before or Slots()).check(written)


def verdicts(checked: Checked) -> list[str]:
    return [row.verdict for row in checked.rows]


def test_what_is_supported_is_stored_as_it_stands_without_the_ids() -> None:
    text = bullet('소희가 "현상소에 맡겼어"라고 말했다.')
    kept, checked = check(output(ltm=[f"{text} (m2)"], lorebook=[entry("소희가 맡겼다. (m2)")]))
    assert kept.ltm == [text]
    assert (kept.lorebook[0].record, kept.lorebook[0].sources) == ("소희가 맡겼다.", ["m2"])
    assert [row.model_dump() for row in checked.rows] == [
        {
            "slot": "long_term_memory",
            "line": text,
            "sources": ("id2",),
            "verdict": "supported",
        },
        {
            "slot": "lorebook",
            "line": "필름. 소희가 맡겼다.",
            "sources": ("id2",),
            "verdict": "supported",
        },
    ]
    assert checked.refusals == []


def test_a_bullet_carried_over_needs_nothing() -> None:
    old = bullet('소희가 "아무도 없어"라고 말했다.', when="2025-01-01 (수)")
    kept, checked = check(output(ltm=[old]), before=Slots(long_term_memory=f"- {old}"))
    assert (kept.ltm, verdicts(checked)) == ([old], ["carried"])


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        (bullet("소희가 필름을 맡겼다.") + " (m9)", "unknown_source"),
        (bullet('소희가 "영원히 기다릴게"라고 말했다.') + " (m2)", "quote_not_found"),
        (bullet('소희가 "약속!"이라고 말했다.') + " (m3)", "wrong_speaker"),
        (bullet("소희와 {user}는 연인이 되었다.") + " (m3)", "promotion"),
        (bullet("둘은 놀았다.", name="연인이 된 날") + " (m3)", "promotion"),
    ],
)
def test_what_fails_is_dropped_and_said(line: str, verdict: str) -> None:
    good = bullet("소희가 필름을 맡겼다.")
    kept, checked = check(output(ltm=[f"{good} (m2)", line]))
    assert kept.ltm == [good]
    assert (verdicts(checked), checked.refusals) == (["supported", verdict], [verdict])


def test_what_names_no_source_is_kept_and_flagged() -> None:
    line = bullet("소희가 필름을 맡겼다.")
    kept, checked = check(output(ltm=[line], lorebook=[entry("소희가 맡겼다.", sources="")]))
    assert (kept.ltm, len(kept.lorebook)) == ([line], 1)
    assert (verdicts(checked), checked.refusals) == (["no_source", "no_source"], [])


def test_a_day_of_nothing_that_was_read_is_unknown() -> None:
    line = bullet("소희가 필름을 맡겼다.", when="2020-01-01 (수)")
    wrong = entry("소희가 맡겼다.", 시점="2020-01-01 (수)")
    kept, checked = check(output(ltm=[f"{line} (m2)"], lorebook=[wrong]))
    assert kept.ltm == [bullet("소희가 필름을 맡겼다.", when="(시간 불명)")]
    assert kept.lorebook[0].when == "(시간 불명)"
    assert verdicts(checked) == ["date_unknown", "date_unknown"]


def test_a_raised_label_gives_way_to_the_old_wording() -> None:
    before = Slots(long_term_memory=f"- {OLD}")
    raised = bullet("소희와 {user}는 연인이 되었다.", name="연인")
    kept, checked = check(output(ltm=[f"{raised} (m3)"]), before=before)
    assert (kept.ltm, checked.refusals) == ([OLD], ["promotion"])


def test_what_was_open_is_not_called_settled() -> None:
    before = Slots(long_term_memory=f"- {OLD}\n- {QUARREL}")
    settled = bullet("소희와 {user}는 화해했다.", name="화해")
    kept, checked = check(output(ltm=[OLD, f"{settled} (m3)"]), before=before)
    assert (kept.ltm, checked.refusals) == ([OLD, QUARREL], ["resolution"])


def test_a_raised_label_that_is_stated_stays() -> None:
    read = reading(("user", "우리 사귈래?"), ("soul", "응, 좋아"))
    raised = bullet("소희와 {user}는 사귀기로 했다.", name="연인")
    kept, checked = check(
        output(ltm=[f"{raised} (m1, m2)"]), before=Slots(long_term_memory=f"- {OLD}"), read=read
    )
    assert (kept.ltm, verdicts(checked)) == ([raised], ["supported"])


def test_a_new_wording_that_is_refused_gives_way_to_the_old_one() -> None:
    old = bullet("소희가 필름을 현상소에 맡겼고 토요일에 찾기로 했다.")
    new = bullet('소희가 필름을 현상소에 맡겼고 "일요일이야"라고 했다.')
    unlike = bullet('{user}가 "일요일이야"라고 했다.', name="요일") + " (m3)"
    before = Slots(long_term_memory=f"- {OLD}\n- {old}")
    kept, _ = check(output(ltm=[OLD, unlike, f"{new} (m2)"]), before=before)
    assert kept.ltm == [OLD, old]


@pytest.mark.parametrize("section", ["recent", "relational", "profile", "how"])
def test_every_slot_is_looked_at(section: str) -> None:
    lines = [
        "사진 이야기를 한다.",
        '{user}가 "영원히 기다려"라고 말했다.',
        "소희와 {user}는 연인이다.",
        '{user}가 "약속!"이라고 말했다.',
    ]
    kept, checked = check(output(**{section: lines}))
    assert getattr(kept, section) == [lines[0], lines[3]]
    assert checked.refusals == ["quote_not_found", "promotion"]


def test_a_slot_that_would_lose_everything_keeps_what_it_had() -> None:
    before = Slots(
        recent_context="- 어제 이야기를 했다.",
        user_relational_persona="### Profile\n- 별명: 곰\n### How Soul sees the user\n- 다정하다.",
    )
    false = '{user}가 "영원히 기다려"라고 말했다.'
    kept, _ = check(output(recent=[false], profile=[false]), before=before)
    assert kept.as_slots() == before


def test_the_default_persona_is_flagged_where_it_does_not_belong() -> None:
    read = reading(persona="말수가 적고 흑백 필름 사진을 좋아하는 사진가다.")
    line = "말수가 적고 흑백 필름 사진을 좋아하는 사진가이다."
    kept, checked = check(output(relational=[line]), read=read)
    assert (kept.relational, verdicts(checked)) == ([line], ["default_persona"])


@pytest.mark.parametrize(
    ("fields", "verdict", "kept"),
    [
        ({"people": "{user}, 소희, 민수"}, "supported", True),
        ({"people": "{user}, 친구"}, "supported", True),
        ({"people": "{user}, 지훈"}, "name_left_out", True),
        ({"people": "{user}, 지훈", "record": "지훈이 필름을 맡겼다."}, "name_unknown", False),
        ({"keywords": "필름, Ruth"}, "name_left_out", True),
        ({"keywords": "필름, 지훈", "record": "소희가 지훈에게 맡겼다."}, "name_unknown", False),
        ({"record": "둘은 연인이 되었다."}, "promotion", False),
        ({"title": "연인이 된 날"}, "promotion", False),
        ({"sources": "m2, m77"}, "unknown_source", False),
        ({"record": '소희가 "아무 말"이라고 했다.'}, "quote_not_found", False),
        ({"record": '소희가 "약속!"이라고 했다.', "sources": "m3"}, "wrong_speaker", False),
    ],
)
def test_an_entry_is_judged(fields: dict[str, str], verdict: str, kept: bool) -> None:
    record = fields.pop("record", "소희가 필름을 맡겼다.")
    result, checked = check(output(lorebook=[entry(record, **fields)]))
    assert (verdicts(checked), bool(result.lorebook)) == ([verdict], kept)
    for one in result.lorebook:
        assert {"지훈", "Ruth"}.isdisjoint({*one.people, *one.keywords})


def test_an_entry_called_by_its_own_quote_claims_no_more_than_that() -> None:
    read = reading(("user", "우리 연인 맞지?"), ("soul", "글쎄"))
    quoted = entry('{user}가 "우리 연인 맞지?"라고 말했다.', title="우리 연인 맞지", sources="m1")
    kept, checked = check(output(lorebook=[quoted]), read=read)
    assert (len(kept.lorebook), verdicts(checked)) == (1, ["supported"])


def test_the_audit_is_bounded_and_keeps_what_was_refused() -> None:
    many = [bullet(f"{n}번째 일이 있었다.") + " (m2)" for n in range(MAX_ROWS)]
    false = bullet('소희가 "없는 말"이라고 했다.' + "길다" * 400) + " (m2)"
    _, checked = check(output(ltm=[*many, false]))
    assert len(checked.audit) == MAX_ROWS
    assert checked.audit[-1].verdict == "quote_not_found"
    assert max(len(row.line) for row in checked.audit) <= 300


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("[Messenger / DM / 2026-05-27 (수) / 필름] 맡겼다.", "2026-05-27 (수)"),
        ("[Messenger / DM / 2026-05-27 (수) / 빛 / 어둠] 맡겼다.", "2026-05-27 (수)"),
        ('[Episode / "북극성 / 둘째 밤" / 봄 / 별] 보았다.', "봄"),
        ('[Episode / "강변 [재] 결승" / 봄 / 별] 보았다.', "봄"),
    ],
)
def test_a_bullet_in_its_parts(line: str, when: str) -> None:
    assert read_bullet(line).when == when
    assert str(read_bullet(line)) == line


WORDS = st.sampled_from(
    "필름 현상소 토요일 바다 강릉 우산 계단 사진 책방 기차 순두부 운동화".split()
)
CHAT = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)


@settings(deadline=None)
@given(CHAT, st.data())
def test_an_output_whose_every_line_is_supported_is_stored_unchanged(
    chat: list[str], data: st.DataObject
) -> None:
    said: list[tuple[Role, str]] = [
        ("user" if n % 2 == 0 else "soul", text) for n, text in enumerate(chat)
    ]
    picked = data.draw(st.lists(st.integers(0, len(said) - 1), min_size=1, max_size=6))
    lines, entries = [], []
    for n in picked:
        who = "{user}가" if said[n][0] == "user" else "소희가"
        told = f'{who} "{said[n][1]}"라고 말했다.'
        lines.append(f"{bullet(told)} (m{n + 1})")
        entries.append(entry(told, sources=f"m{n + 1}"))
    written = output(
        ltm=lines, recent=[line.partition("] ")[2] for line in lines], lorebook=entries
    )
    kept, checked = check(written, read=reading(*said))
    assert set(verdicts(checked)) == {"supported"}
    assert kept.as_slots() == written.as_slots()
    assert kept.lorebook == [one.without_ids() for one in written.lorebook]
