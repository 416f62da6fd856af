"""No text that a callable answers, and no line that it logs, holds what a user wrote."""

import logging

import pytest
from google.api_core import exceptions
from pydantic import ValidationError

from shared import errors
from shared.errors import RetryLaterError
from shared.model.thread import Message
from shared.settings import Settings
from tests.safety.callables import CALLABLES, INPUTS, call
from tests.safety.canaries import Canaries

CANARIES = Canaries()
TOLD = " ".join(line for line in CANARIES.tell("a callable") if "\n" not in line)


def validation_error() -> ValidationError:
    with pytest.raises(ValidationError) as raised:
        Message.model_validate({"message_id": TOLD, "role": TOLD, "text": [TOLD]})
    return raised.value


FAILURES: list[Exception] = [
    ValueError(TOLD),
    KeyError(TOLD),
    RuntimeError(TOLD),
    UnicodeEncodeError("utf-8", TOLD, 0, 1, TOLD),
    validation_error(),
    errors.SoulMemoryError(TOLD),
    exceptions.InvalidArgument(TOLD),  # type: ignore[no-untyped-call]
    exceptions.ServiceUnavailable(TOLD),  # type: ignore[no-untyped-call]
]
PAYLOADS: list[object] = [
    TOLD,
    [TOLD],
    {TOLD: 1, "soul_id": "sohee"},
    {"soul_id": [TOLD]},
    {"soul_id": {TOLD: TOLD}},
    {"soul_id": f"{TOLD}/x"},
    {"soul_id": TOLD * 20},
]


@pytest.fixture(autouse=True)
def emulated_auth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A token of the Auth emulator is believed, and looked up nowhere."""
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", "127.0.0.1:1")
    monkeypatch.setenv("GCLOUD_PROJECT", "demo-soul-memory")


@pytest.mark.parametrize("name", CALLABLES)
@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
def test_what_fails_behind_a_callable_stays_there(
    name: str,
    failure: Exception,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = call(name, INPUTS[name], behind=failure)
    assert '"error"' in answer
    assert CANARIES.found_in("the answer", answer) == []
    assert CANARIES.found_in("a log", "".join(capfd.readouterr()) + caplog.text) == []


@pytest.mark.parametrize("data", PAYLOADS, ids=lambda data: type(data).__name__)
def test_what_a_caller_sends_amiss_is_not_said_back(
    data: object, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = call("compose_prompt", data, behind=ValueError(TOLD))
    assert "INVALID_ARGUMENT" in answer
    assert CANARIES.found_in("the answer", answer) == []
    assert CANARIES.found_in("a log", "".join(capfd.readouterr()) + caplog.text) == []


SERVER = {"uid": "u2", "soul_id": "sohee"}


@pytest.mark.parametrize(
    ("callers", "claims", "data", "answer"),
    [
        ("owner", {}, {"soul_id": "sohee"}, "UNAVAILABLE"),
        ("owner", {"server": True}, SERVER, "INVALID_ARGUMENT"),
        ("server", {}, {"soul_id": "sohee"}, "PERMISSION_DENIED"),
        ("server", {"operator": True}, SERVER, "PERMISSION_DENIED"),
        ("server", {"server": True}, {"soul_id": "sohee"}, "INVALID_ARGUMENT"),
        ("server", {"server": True}, SERVER, "UNAVAILABLE"),
    ],
)
def test_a_setting_says_who_may_have_a_prompt(
    callers: str, claims: dict[str, object], data: dict[str, str], answer: str
) -> None:
    settings = Settings.model_validate({"compose_callers": callers})
    # Behind the door nothing answers: who gets there is told to try again.
    behind = RetryLaterError("composing")
    assert answer in call("compose_prompt", data, behind=behind, settings=settings, claims=claims)
