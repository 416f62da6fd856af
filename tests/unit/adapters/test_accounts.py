"""Auth's answers, and what is no answer."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import firebase_admin
import pytest
from firebase_admin import auth

from functions.adapters.accounts import FirebaseAccounts
from shared.errors import RetryLaterError


@pytest.fixture(autouse=True)
def nobody_answers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An app of its own, whose Auth is at an address where nobody listens."""
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", "127.0.0.1:1")
    monkeypatch.setenv("GCLOUD_PROJECT", "demo-soul-memory")
    before = dict(firebase_admin._apps)
    firebase_admin._apps.clear()
    yield
    firebase_admin._apps.clear()
    firebase_admin._apps.update(before)


def answering(monkeypatch: pytest.MonkeyPatch, *, known: list[str], unknown: list[str]) -> None:
    answer = SimpleNamespace(
        users=[SimpleNamespace(uid=uid) for uid in known],
        not_found=[auth.UidIdentifier(uid) for uid in unknown],
    )

    def get_users(identifiers: Any, app: object) -> object:
        return answer

    monkeypatch.setattr(auth, "get_users", get_users)


def test_who_is_known_is_told_from_who_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, known=["소라"], unknown=["떠난이"])
    assert FirebaseAccounts().known(["소라", "떠난이"]) == {"소라"}


@pytest.mark.parametrize(("known", "unknown"), [([], []), (["소라"], []), (["소라"], ["남"])])
def test_an_answer_that_is_not_whole_is_none(
    monkeypatch: pytest.MonkeyPatch, known: list[str], unknown: list[str]
) -> None:
    answering(monkeypatch, known=known, unknown=unknown)
    with pytest.raises(RetryLaterError):
        FirebaseAccounts().known(["소라", "떠난이"])


def test_where_nobody_answers_it_is_to_be_tried_again() -> None:
    with pytest.raises(RetryLaterError):
        FirebaseAccounts().known(["소라"])
    with pytest.raises(RetryLaterError):
        FirebaseAccounts().delete("소라")


def test_of_nobody_nothing_is_asked() -> None:
    assert FirebaseAccounts().known([]) == frozenset()
