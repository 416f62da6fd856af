"""A day's budget under many claims at once, on the emulator."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from google.api_core import exceptions
from google.cloud import firestore

from functions.adapters.firestore.budget import FirestoreBudget
from shared.ports import BudgetCall

GOOGLE: Any = exceptions
pytestmark = pytest.mark.firestore


@pytest.fixture
def own(client: firestore.Client) -> firestore.Client:
    """A database of one's own, since the project's budget is everybody's."""
    return firestore.Client(project=f"demo-{uuid4().hex[:12]}")


def budget(client: firestore.Client, **limits: tuple[int, int]) -> FirestoreBudget:
    return FirestoreBudget(client, {"user": (0, 0), "project": (0, 0), **limits})


def call(number: int, uid: str = "u1", day: str = "2026-05-28") -> BudgetCall:
    return BudgetCall(uid=uid, day=day, call_id=f"c{number}")


def spent(client: firestore.Client, *path: str) -> dict[str, Any]:
    return client.document(*path).get().to_dict() or {}


def test_two_hundred_claims_at_once_do_not_overshoot(own: firestore.Client) -> None:
    limit, each = 10_000, 170
    account = budget(own, user=(0, limit))
    with ThreadPoolExecutor(16) as pool:
        admitted = list(pool.map(lambda n: account.reserve(call(n), each), range(200)))
    assert 0 < sum(admitted) <= limit // each
    day = spent(own, "users", "u1", "budgets", "2026-05-28")
    assert day == {"calls": sum(admitted), "tokens": sum(admitted) * each}
    winners = [number for number, was_admitted in enumerate(admitted) if was_admitted]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: account.settle(call(n), 100 + n), winners * 2))
    settled = sum(100 + number for number in winners)
    for path in (("users", "u1", "budgets", "2026-05-28"), ("budgets", "2026-05-28")):
        assert spent(own, *path) == {"calls": len(winners), "tokens": settled}
    assert settled <= limit or settled <= len(winners) * 300


def test_calls_are_limited_as_tokens_are(own: firestore.Client) -> None:
    account = budget(own, user=(2, 0))
    assert [account.reserve(call(n), 5) for n in range(3)] == [True, True, False]
    assert account.reserve(call(9, uid="u2"), 5)
    assert account.reserve(call(9, day="2026-05-29"), 5)


def test_the_project_has_a_limit_of_its_own(own: firestore.Client) -> None:
    account = budget(own, project=(0, 10))
    assert account.reserve(call(1, uid="u1"), 6)
    assert not account.reserve(call(2, uid="u2"), 6)
    assert spent(own, "users", "u2", "budgets", "2026-05-28") == {"calls": 0, "tokens": 0}


def test_the_same_call_is_reserved_and_settled_once(own: firestore.Client) -> None:
    account = budget(own)
    assert account.reserve(call(1), 10)
    assert account.reserve(call(1), 10)
    for _ in range(2):
        account.settle(call(1), 4)
    assert spent(own, "budgets", "2026-05-28") == {"calls": 1, "tokens": 4}


def test_settling_what_was_never_reserved_changes_nothing(own: firestore.Client) -> None:
    budget(own).settle(call(1), 4)
    assert spent(own, "budgets", "2026-05-28") == {}


def test_a_bill_that_cannot_be_written_costs_no_answer(
    own: firestore.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = budget(own)
    assert account.reserve(call(1), 10)

    def away(*_: object, **__: object) -> None:
        raise GOOGLE.ServiceUnavailable("down")

    with monkeypatch.context() as patch:
        patch.setattr(firestore.WriteBatch, "commit", away)
        account.settle(call(1), 4)
    assert spent(own, "budgets", "2026-05-28")["tokens"] == 10
    account.settle(call(1), 4)
    assert spent(own, "budgets", "2026-05-28")["tokens"] == 4
