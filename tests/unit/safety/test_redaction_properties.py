"""What holds for every text: offsets, idempotence, nothing touched in vain, linear time."""

import datetime
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.safety.redaction import REDACTED, redact

# Pieces that detectors care about, so that random texts come close to secrets.
PIECES = st.sampled_from(
    "010 1234 5678 - . · ㅡ + 82 02 031 870512 2345678 4111 1111 110 234 567890 １２３４ ⑴ 비번 "
    "비밀번호 은 는 이 야 임 : = pw password is 계좌 은행 신한 카드 주민번호 여권 면허 M123A4567 "
    "운송장 주문번호 sori @ example.com 골뱅이 네이버 sk- abcdEFGH1234ijklMNOP eyJ hf_ 토큰 키 "
    "인스타 아이디 sori_77 현관 4821 * # 누르면 공일공 구팔칠육 {user} [REDACTED] 원 개 번 "
    "2026-05-28 (목) ' \" / ://".split()
)
INVISIBLE = st.sampled_from(["", " ", "\n", "\u200b", "\u00ad", "\ufe0f", "\u0301", "\ue000"])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(PIECES, INVISIBLE), max_size=24).map("".join),
    st.lists(PIECES, max_size=16).map(" ".join),
)


@settings(max_examples=400, deadline=None)
@given(TEXTS)
def test_findings_are_what_was_cut_out(text: str) -> None:
    redacted = redact(text)

    rebuilt, done = "", 0
    for finding in redacted.findings:
        assert done <= finding.start < finding.end <= len(text)
        rebuilt += text[done : finding.start] + REDACTED
        done = finding.end
    assert redacted.text == rebuilt + text[done:]


@settings(max_examples=600, deadline=None)
@given(TEXTS)
def test_a_second_pass_finds_nothing_new(text: str) -> None:
    once = redact(text).text

    again = redact(once)

    assert again.findings == ()
    assert again.text == once


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 9999), st.integers(0, 9999), st.sampled_from("이야 로 는 한테 래 입니다".split())
)
def test_every_mobile_goes_with_any_particle(middle: int, last: int, particle: str) -> None:
    number = f"010-{middle:04}-{last:04}"

    assert redact(f"번호 {number}{particle}").text == f"번호 {REDACTED}{particle}"


@settings(max_examples=200, deadline=None)
@given(st.dates(), st.times())
def test_no_stamp_is_a_secret(date: datetime.date, time: datetime.time) -> None:
    for text in (
        f"[{date} (목) {time:%H:%M}]",
        f"{date}T{time:%H:%M:%S}+09:00",
        f"{date:%Y.%m.%d}",
    ):
        assert redact(text).findings == ()


# Where a careless pattern would look at the rest of the text again from every piece.
HOSTILE_PIECES = (
    *("0", "1 ", "1-", "010-", "1\n", "4242 ", "공일공", "일 ", "⑴", "0\u200b", "계좌 1234567890 "),
    *("a@", "a.", "a골뱅이", "sk-", "eyJ", "AIza", "hf_", "12345678:", "key=", "://a:", "인스타 @"),
    *(
        "비번은 ",
        "pw=",
        "pw: a1 ",
        "1234 비번 ",
        "-----BEGIN PRIVATE KEY-----\n",
        "[REDACTED]",
        " ",
    ),
)


@pytest.mark.parametrize("piece", HOSTILE_PIECES)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    small, large = seconds(piece, 25_000), seconds(piece, 200_000)

    # Eight times the text; a quadratic detector would take sixty-four times as long.
    assert large < 24 * max(small, 0.005)


def seconds(piece: str, length: int) -> float:
    text = piece * (length // len(piece))
    begun = process_time()
    redact(text)
    return process_time() - begun
