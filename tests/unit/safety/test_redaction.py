"""Every kind of secret goes, in the shapes that people type it; ordinary talk stays."""

from pathlib import Path
from typing import TypedDict

import pytest
import yaml

from shared.safety import redaction
from shared.safety.redaction import REDACTED, Finding, RedactionError, redact
from shared.safety.redaction_spans import Kind, Span

HERE = Path(__file__).parent


class Case(TypedDict):
    kind: Kind
    text: str
    secret: str | list[str]


SECRETS: list[Case] = yaml.safe_load((HERE / "redaction_secrets.yaml").read_text("utf-8"))
ORDINARY: list[str] = yaml.safe_load((HERE / "redaction_ordinary.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", SECRETS, ids=lambda case: f"{case['kind']} {case['text']}")
def test_a_secret_goes_and_the_words_around_it_stay(case: Case) -> None:
    secret = "".join(case["secret"])
    text = case["text"].replace("<>", secret)

    redacted = redact(text)

    assert redacted.text == case["text"].replace("<>", REDACTED)
    start = text.index(secret)
    assert redacted.findings == (Finding(case["kind"], start, start + len(secret)),)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_talk_comes_back_as_it_is(text: str) -> None:
    redacted = redact(text)

    assert redacted.text == text
    assert redacted.findings == ()


def test_there_are_enough_cases_of_both() -> None:
    assert len(SECRETS) >= 60
    assert len(ORDINARY) >= 60


def test_several_secrets_go_one_by_one_in_order() -> None:
    text = "010-9876-5432랑 sori@example.com, 비번은 moon1204야"

    redacted = redact(text)

    assert redacted.text == "[REDACTED]랑 [REDACTED], 비번은 [REDACTED]야"
    assert [finding.kind for finding in redacted.findings] == ["phone", "email", "password_phrase"]


def test_decomposed_hangul_is_read_like_composed() -> None:
    text = "\u1107\u1175\u1107\u1165\u11ab\u110b\u1173\u11ab moon1204"

    assert redact(text).text == text.replace("moon1204", REDACTED)


def test_a_failing_detector_lets_no_text_through(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> list[Span]:
        raise LookupError

    monkeypatch.setattr(redaction, "_DETECTORS", (*redaction._DETECTORS, broken))

    with pytest.raises(LookupError):
        redact("안녕")


def test_a_text_that_never_comes_clean_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def insatiable(text: str) -> list[Span]:
        return [Span("phone", 0, 1)]

    monkeypatch.setattr(redaction, "_DETECTORS", (insatiable,))

    with pytest.raises(RedactionError):
        redact("안녕")
