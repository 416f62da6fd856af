"""What an error becomes at the edge; no user's text on the way out."""

import io
import json
from typing import Any

import pytest
from firebase_functions.https_fn import FunctionsErrorCode, HttpsError
from google.api_core import exceptions

from functions.adapters.event_log import JsonEventLog
from functions.failures import callable_failures, worker_failures
from shared import errors

SECRET = "새벽에 쓴 말"
GOOGLE: Any = exceptions


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InvalidArgumentError("soul_id", "is reserved"), "INVALID_ARGUMENT"),
        (errors.DocumentNotFoundError("souls/x"), "NOT_FOUND"),
        (errors.DocumentMisshapenError("souls/x", "time_zone", "no zone"), "FAILED_PRECONDITION"),
        (errors.PermissionDeniedError("operators only"), "PERMISSION_DENIED"),
        (errors.UserGoneError(), "NOT_FOUND"),
        (errors.LimitReachedError("EXPORTS_PER_DAY"), "RESOURCE_EXHAUSTED"),
        (errors.StorageUnusableError("no bucket"), "FAILED_PRECONDITION"),
        (errors.RetryLaterError("under way"), "UNAVAILABLE"),
        (GOOGLE.ServiceUnavailable("down"), "UNAVAILABLE"),
        (GOOGLE.DeadlineExceeded("slow"), "UNAVAILABLE"),
        (KeyError(SECRET), "INTERNAL"),
        (HttpsError(FunctionsErrorCode.UNAUTHENTICATED, "sign in"), "UNAUTHENTICATED"),
    ],
)
def test_a_callable_answers_with_what_the_error_means(
    error: Exception, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HttpsError) as raised, callable_failures():
        raise error
    assert raised.value.code == FunctionsErrorCode[code]
    assert SECRET not in raised.value.message
    assert SECRET not in "".join(capsys.readouterr())


def test_a_caller_is_told_which_cycle_goes_first() -> None:
    with pytest.raises(HttpsError) as raised, callable_failures():
        raise errors.CycleUnderWayError("cycle 000005 is under way")
    assert raised.value.code == FunctionsErrorCode.UNAVAILABLE
    assert raised.value.message == "cycle 000005 is under way"


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (errors.StaleClaimError("moved on"), []),
        (errors.UserGoneError(), []),
        (errors.DocumentNotFoundError("souls/x"), ["not_done"]),
        (errors.DocumentMisshapenError("souls/x", "content", "missing"), ["not_done"]),
        (errors.InvalidArgumentError("uid", "is reserved"), ["ignored"]),
    ],
)
def test_a_worker_acknowledges_what_a_retry_cannot_cure(
    error: Exception, logged: list[str]
) -> None:
    stream = io.StringIO()
    with worker_failures(JsonEventLog(stream), "summarizethread", "sohee"):
        raise error
    assert [json.loads(line)["message"] for line in stream.getvalue().splitlines()] == logged


@pytest.mark.parametrize(
    "error", [errors.RetryLaterError("under way"), GOOGLE.Aborted("contention"), KeyError(SECRET)]
)
def test_a_worker_raises_what_a_retry_may_cure(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    log = JsonEventLog(io.StringIO())
    with pytest.raises(HttpsError) as raised, worker_failures(log, "summarizethread", "sohee"):
        raise error
    assert SECRET not in str(raised.value)
    assert SECRET not in "".join(capsys.readouterr())


def test_what_nobody_foresaw_is_logged_by_class_and_place(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(HttpsError), callable_failures():
        dict[str, str]()[SECRET]
    line = json.loads(capsys.readouterr().out)
    assert (line["severity"], line["error"]) == ("ERROR", "KeyError")
    assert "test_failures.py:" in line["at"]


def test_what_is_not_done_is_said_for_operators() -> None:
    stream = io.StringIO()
    with worker_failures(JsonEventLog(stream), "on_thread_created", "sohee"):
        raise errors.DocumentNotFoundError("souls/sohee")
    assert json.loads(stream.getvalue()) == {
        "severity": "WARNING",
        "message": "not_done",
        "work": "on_thread_created",
        "thread_id": "sohee",
        "reason": "souls/sohee does not exist",
    }
