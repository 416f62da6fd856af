"""Who may call, and how often: the token alone says who it is."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from firebase_functions.https_fn import FunctionsErrorCode, HttpsError

import functions.services
from functions.adapters.rate_limiter import RateLimiter
from functions.callers import caller_uid, require_operator
from shared.settings import Settings
from tests.factories import NOW
from tests.fakes import FakeClock


@dataclass
class Auth:
    uid: str | None = "u1"
    token: dict[str, object] = field(default_factory=dict)


@dataclass
class Call:
    auth: Auth | None = field(default_factory=Auth)
    app: object | None = None
    data: object = None


@dataclass
class Door:
    settings: Settings
    limiter: RateLimiter


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    built = Door(settings=Settings(), limiter=RateLimiter(2, FakeClock(NOW).monotonic))
    monkeypatch.setattr(functions.services, "services", lambda: built)
    return built


def refused(call: Any, check: Any = caller_uid) -> FunctionsErrorCode:
    with pytest.raises(HttpsError) as error:
        check(call)
    return error.value.code


@pytest.mark.usefixtures("door")
@pytest.mark.parametrize("auth", [None, Auth(uid=None), Auth(uid="")])
def test_a_caller_without_a_uid_is_nobody(auth: Auth | None) -> None:
    assert refused(Call(auth=auth)) == FunctionsErrorCode.UNAUTHENTICATED


@pytest.mark.usefixtures("door")
def test_what_the_data_says_of_the_caller_counts_for_nothing() -> None:
    call: Any = Call(data={"uid": "somebody else"})
    assert caller_uid(call) == "u1"


@pytest.mark.usefixtures("door")
def test_one_who_calls_too_often_waits() -> None:
    call: Any = Call()
    assert [caller_uid(call) for _ in range(2)] == ["u1", "u1"]
    assert refused(call) == FunctionsErrorCode.RESOURCE_EXHAUSTED


def test_app_check_is_asked_for_where_the_setting_says_so(door: Door) -> None:
    door.settings = Settings(app_check=True)
    assert refused(Call()) == FunctionsErrorCode.UNAUTHENTICATED
    call: Any = Call(app=object())
    assert caller_uid(call) == "u1"


@pytest.mark.usefixtures("door")
@pytest.mark.parametrize("claim", [None, False, "true", 1, "operator"])
def test_only_the_claim_itself_makes_an_operator(claim: object) -> None:
    call = Call(auth=Auth(token={} if claim is None else {"operator": claim}))
    assert refused(call, require_operator) == FunctionsErrorCode.PERMISSION_DENIED
    operator: Any = Call(auth=Auth(token={"operator": True}))
    require_operator(operator)
