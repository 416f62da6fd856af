"""Counters set right and older messages marked, on the emulator."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.counters import FirestoreCounters
from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.thread import Counter, ThreadKey
from tests.factories import NOW, message
from tests.integration.test_threads import messages_of, write
from tools import apply_retention, recount
from tools.threads import named_threads

pytestmark = pytest.mark.firestore

KEY = ThreadKey(uid="지우", soul_id="seoyun")


@pytest.fixture
def own(client: firestore.Client, monkeypatch: pytest.MonkeyPatch) -> firestore.Client:
    """A project of one's own, which the commands find by the environment."""
    project = f"demo-{uuid4().hex[:12]}"
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", project)
    return firestore.Client(project=project)


def chat(client: firestore.Client, key: ThreadKey = KEY, *, consumed: int = 2) -> None:
    """Five messages, all but the last counted; a cycle has consumed the first `consumed`."""
    Paths(client).thread(key).set({"created_at": NOW})
    threads = FirestoreThreads(client)
    written = [write(client, key, message(number, "짧은 말")) for number in range(5)]
    for one in written[:4]:
        threads.count_tokens(key, one, 7)
    if consumed:
        cursor = message(consumed - 1).ref.model_dump()
        Paths(client).state(key).set({"generation": 1, "cursor": cursor})


def counter(client: firestore.Client, key: ThreadKey = KEY) -> dict[str, Any]:
    return Paths(client).counter(key).get().to_dict() or {}


def expiries(client: firestore.Client, key: ThreadKey = KEY) -> list[Any]:
    found = messages_of(client, key).order_by("created_at").stream()
    return [(one.to_dict() or {}).get("expires_at") for one in found]


RIGHT = {
    "pending_messages": 2,
    "pending_tokens": 14,
    "pending_since": 0,
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"pending_messages": 40, "pending_tokens": 280},
        {"pending_messages": -3, "pending_tokens": 0, "pending_since": 7},
        None,
    ],
)
def test_a_counter_says_what_is_pending(
    own: firestore.Client, wrong: dict[str, int] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    chat(own)
    Paths(own).counter(KEY).delete()
    if wrong is not None:
        Paths(own).counter(KEY).set(wrong)
    assert recount.main([KEY.uid, KEY.soul_id]) == 0
    assert counter(own) == RIGHT
    assert "1 threads, 1 counters were wrong" in capsys.readouterr().out
    assert recount.main([KEY.uid, KEY.soul_id]) == 0
    assert "0 counters were wrong" in capsys.readouterr().out


def test_everybodys_counters(own: firestore.Client, capsys: pytest.CaptureFixture[str]) -> None:
    keys = [ThreadKey(uid=f"사용자{number}", soul_id="seoyun") for number in range(3)]
    for key in keys:
        chat(own, key, consumed=0)
    Paths(own).counter(keys[1]).update({"pending_tokens": 99})
    assert set(named_threads(own, "", "")) == set(keys)
    assert recount.main([]) == 0
    assert "3 threads, 1 counters were wrong" in capsys.readouterr().out
    assert counter(own, keys[1])["pending_tokens"] == 28


def test_nothing_pending_is_no_counter_to_make(own: firestore.Client) -> None:
    Paths(own).thread(KEY).set({"created_at": NOW})
    assert recount.main([KEY.uid, KEY.soul_id]) == 0
    assert not Paths(own).counter(KEY).get().exists


def test_a_counter_that_moves_all_the_time_is_left(
    own: firestore.Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chat(own)
    counted = FirestoreCounters.counted_between

    def meanwhile(counters: FirestoreCounters, key: ThreadKey, *places: Any) -> Counter:
        right = counted(counters, key, *places)
        Paths(own).counter(key).update({"pending_tokens": firestore.Increment(1)})
        return right

    monkeypatch.setattr(FirestoreCounters, "counted_between", meanwhile)
    assert recount.main([KEY.uid, KEY.soul_id]) == 1
    assert "run it again" in capsys.readouterr().err


def test_a_bad_id_is_named(own: firestore.Client, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        recount.main(["a/b", "seoyun"])
    assert "uid is no legal document id" in capsys.readouterr().err


def test_older_messages_get_an_expiry_that_leaves_memory_its_time(own: firestore.Client) -> None:
    chat(own)
    Paths(own).counter(KEY).set({"pending_messages": 2, "pending_tokens": 14})
    now = NOW + timedelta(days=80)
    assert apply_retention.apply_retention(own, KEY, 90, now=now) == 4
    soonest = now + timedelta(days=14)
    assert expiries(own) == [soonest] * 4 + [None]
    due = FirestoreIrregularities(own).unremembered_threads(NOW, after=None, limit=9)
    assert [one.thread for one in due.items] == [KEY]


def test_another_number_of_days_moves_what_was_marked(own: firestore.Client) -> None:
    chat(own)
    apply_retention.apply_retention(own, KEY, 90, now=NOW)
    first = expiries(own)
    assert first[0] == message(0).created_at + timedelta(days=90)
    assert apply_retention.apply_retention(own, KEY, 90, now=NOW) == 0
    assert apply_retention.apply_retention(own, KEY, 30, now=NOW) == 4
    assert expiries(own)[0] == message(0).created_at + timedelta(days=30)


def test_too_few_days_are_refused(
    own: firestore.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    chat(own)
    assert apply_retention.main(["13"]) == 2
    assert "14 or more" in capsys.readouterr().err
    assert apply_retention.main(["90"]) == 0
    assert "4 messages have a new expiry" in capsys.readouterr().out
