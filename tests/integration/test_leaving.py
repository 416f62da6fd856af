"""Deleting a user on the emulator: all of theirs, nothing of others', and nothing comes back."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.belongings import PAGE, FirestoreBelongings
from functions.adapters.firestore.deletions import FirestoreDeletions
from functions.adapters.firestore.users import FirestoreUsers
from shared.leaving.delete_my_data import DeleteMyData, delete_my_data
from shared.leaving.leaving_ports import LeavingPorts, NightBookmark
from shared.leaving.nightly_sweep import nightly_sweep
from shared.model.deletion import Deletion
from shared.settings import Settings
from tests.factories import NOW
from tests.fakes import FakeClock
from tests.unit.leaving.house import FakeAccounts, FakeFiles

pytestmark = pytest.mark.firestore


@pytest.fixture
def own(client: firestore.Client) -> firestore.Client:
    """A database of one's own: these looks go across all users."""
    return firestore.Client(project=f"demo-{uuid4().hex[:12]}")


def ports(client: firestore.Client, accounts: FakeAccounts | None = None) -> LeavingPorts:
    return LeavingPorts(
        deletions=FirestoreDeletions(client),
        belongings=FirestoreBelongings(client),
        files=FakeFiles(),
        accounts=accounts or FakeAccounts(),
        users=FirestoreUsers(client),
        clock=FakeClock(NOW),
        settings=Settings(),
    )


def write(client: firestore.Client, *paths: str) -> None:
    batch = client.batch()
    for path in paths:
        batch.set(client.document(path), {"text": "필름 맡겼어"})
    batch.commit()


def all_paths(client: firestore.Client) -> list[str]:
    return [one.reference.path for one in client.collection("users").recursive().stream()]


def test_whatever_the_collection_is_called_and_however_deep(own: firestore.Client) -> None:
    write(
        own,
        "users/소라",
        "users/소라/threads/소희/messages/m1",  # the thread's own document is missing
        "users/소라/threads/소희/messages/m1/reactions/r1",
        "users/소라/threads/소희/누구도모르는것/x",
        "users/소라/\U0001f600/끝",
        "users/소라/plays/p1/scenes/s1",
        "users/소라/budgets/2026-05-28/calls/c1",
    )
    others = [
        "souls/소라",
        "souls/소희/slots/soul_default_persona",
        "users/소/plays/p1",
        "users/소라2/plays/p1",
        "users/소라!/plays/p1",
        "users/a/users/소라",
    ]
    write(own, *others)
    done = delete_my_data(DeleteMyData(uid="소라"), ports=ports(own))
    assert (done.finished, done.documents) == (True, 7)
    assert sorted(all_paths(own)) == sorted(path for path in others if path.startswith("users"))
    assert own.document("souls/소라").get().exists


def test_more_than_a_page_in_order_and_resumed(own: firestore.Client) -> None:
    count = PAGE + 120
    for start in range(0, count, 200):
        numbers = range(start, min(start + 200, count))
        write(own, *(f"users/소라/threads/소희/messages/m{number:05d}" for number in numbers))
    belongings = FirestoreBelongings(own)
    first = belongings.delete_page("소라", after=None)
    assert (first.count, first.after) == (PAGE, "users/소라/threads/소희/messages/m00499")
    second = belongings.delete_page("소라", after=first.after)
    assert (second.count, second.after) == (120, None)
    assert belongings.delete_page("소라", after=None).count == 0


def test_a_tombstone_is_written_once_and_tells_what_happened(own: firestore.Client) -> None:
    write(own, *(f"users/소라/plays/p{number}" for number in range(4)))
    done = delete_my_data(DeleteMyData(uid="소라"), ports=ports(own))
    again = delete_my_data(DeleteMyData(uid="소라", reason="account_gone"), ports=ports(own))
    assert again == done
    assert FirestoreDeletions(own).read("소라") == Deletion(
        reason="asked",
        started_at=NOW,
        finished_at=NOW,
        look_at=NOW + timedelta(days=1),
        documents=4,
    )


def test_a_tombstone_whose_answer_is_lost_is_the_same(
    own: firestore.Client, commits_sent_twice: Callable[[], None]
) -> None:
    commits_sent_twice()
    wanted = Deletion(reason="asked", started_at=NOW, look_at=NOW)
    assert FirestoreDeletions(own).begin("소라", wanted) == wanted


def test_those_whose_time_has_come_are_found_in_its_order(own: firestore.Client) -> None:
    deletions = FirestoreDeletions(own)
    for hours, uid in enumerate(("둘", "하나", "나중")):
        look_at = NOW + timedelta(hours=hours)
        deletions.begin(uid, Deletion(reason="asked", started_at=NOW, look_at=look_at))
    deletions.finish("하나", finished_at=NOW, look_at=NOW - timedelta(hours=1))
    assert deletions.due(NOW, limit=5) == ["하나", "둘"]
    assert deletions.due(NOW, limit=1) == ["하나"]


def test_users_are_found_without_a_document_of_their_own(own: firestore.Client) -> None:
    write(own, "users/가/threads/소희", "users/가/threads/소희/messages/m1", "users/나/plays/p1")
    write(own, "users/다", "users/라/budgets/d/calls/c", "souls/마")
    users = FirestoreUsers(own)
    assert users.users_after(None, limit=3) == ["가", "나", "다"]
    assert users.users_after("나", limit=9) == ["다", "라"]
    assert users.users_after("라", limit=9) == []


def test_who_is_missing_is_kept_from_the_first_time_on(own: firestore.Client) -> None:
    users = FirestoreUsers(own)
    users.note_missing(["가", "나"], NOW)
    users.note_missing(["나", "다"], NOW + timedelta(hours=2))
    assert users.missing_since(NOW, limit=9) == ["가", "나"]
    users.forget_missing(["가", "없는이"])
    assert users.missing_since(NOW + timedelta(days=1), limit=9) == ["나", "다"]
    assert users.read_bookmark() == NightBookmark()
    users.write_bookmark(NightBookmark(users_after="나"))
    assert users.read_bookmark() == NightBookmark(users_after="나")


def test_two_nights_let_a_user_go_who_has_no_account(own: firestore.Client) -> None:
    write(own, "users/떠난이/threads/소희/messages/m1", "users/남은이/threads/소희/messages/m1")
    of = ports(own, FakeAccounts({"남은이"}))
    assert nightly_sweep(ports=of).users_deleted == 0
    of.clock.wait(timedelta(days=1).total_seconds())
    report = nightly_sweep(ports=of)
    assert (report.users_deleted, report.errors) == (1, ())
    assert all_paths(own) == ["users/남은이/threads/소희/messages/m1"]


def test_an_empty_database_is_no_trouble(own: firestore.Client) -> None:
    report = nightly_sweep(ports=ports(own))
    assert (report.users_compared, report.errors, report.alarms) == (0, (), ())
    assert report.finished


def test_nobody_elses_document_is_ever_deleted(own: firestore.Client) -> None:
    """The check of last resort, should a query ever answer more than it was asked."""
    belongings = FirestoreBelongings(own)
    with pytest.raises(AssertionError):
        belongings._delete("소라", [own.document("users/소라2/plays/p1")])
