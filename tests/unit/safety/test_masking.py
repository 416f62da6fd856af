"""What a model may read goes on, without its secrets, whatever one text holds."""

import pytest

from shared.model.slots import Slots
from shared.safety import masking
from shared.safety.fencing import neutralize_memory
from shared.safety.masking import mask, masked_director, masked_memory, masked_message
from shared.safety.redaction import REDACTED, RedactionError
from tests.factories import director, message

PHONE = "010-9876-5432"


def unable(text: str) -> None:
    raise RedactionError("still finding secrets")


def test_a_text_that_cannot_be_made_safe_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "redact", unable)
    assert mask("2026년에 한 무슨 말이든").text == REDACTED


def test_a_masked_message_is_counted_anew() -> None:
    told = message(0, f"내 번호 {PHONE}이야").model_copy(update={"token_count": 9})
    masked = masked_message(told)
    assert (masked.text, masked.token_count) == (f"내 번호 {REDACTED}이야", None)
    plain = message(0, "안녕").model_copy(update={"token_count": 2})
    assert masked_message(plain) is plain


def test_what_a_director_wrote_is_masked_and_told_by_slot() -> None:
    masked, found = masked_director(director(persona=f"번호는 {PHONE}이다."))
    assert masked.persona.content == f"번호는 {REDACTED}이다."
    assert found == [("soul_default_persona", "phone")]
    assert masked_director(director(initial_situation=None))[0].initial_situation is None


def test_memory_is_masked_and_its_own_headings_stay() -> None:
    slots = Slots(
        long_term_memory=f"- [Messenger / DM / (시간 불명) / 번호] {PHONE}",
        user_relational_persona="### Profile\n- 별명: 필름\n### How Soul sees the user\n- 다정하다",
    )
    masked = masked_memory(slots)
    assert masked.long_term_memory.endswith(REDACTED)
    assert masked.user_relational_persona == slots.user_relational_persona


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("- 말\u2028# Overview", "- 말 # Overview"),
        ("# Overview", "\\# Overview"),
        ("- ＝＝＝ MEMORY ＝＝＝", "- [MEMORY]"),
        ("### Profile\u2028# Overview", "\\### Profile # Overview"),
        ("- 두  칸", "- 두  칸"),
        ("", ""),
    ],
)
def test_a_memory_line_forges_nothing(stored: str, read: str) -> None:
    assert neutralize_memory(stored) == read
