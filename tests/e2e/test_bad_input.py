"""What does not fit gets a clear answer or a clear state, and loses no message."""

from typing import Any
from uuid import uuid4

import pytest
import requests
from google.cloud import firestore

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient, AppError
from tools.emulators import Suite
from tools.thread_report import ThreadReader
from tools.waiting import Follower

pytestmark = pytest.mark.suite


def refused(app: AppClient, data: object) -> AppError:
    with pytest.raises(AppError) as raised:
        app.call("compose_prompt", data)
    return raised.value


@pytest.mark.parametrize("soul_id", ["", "a/b", "..", "__x__", "가" * 501, 7, None])
def test_a_soul_id_that_is_no_document_id(app: AppClient, uid: str, soul_id: object) -> None:
    error = refused(app, {"soul_id": soul_id})
    assert error.code == "invalid-argument"
    assert str(error).startswith("soul_id: ") or "soul_id: " in str(error)


@pytest.mark.parametrize("data", [None, {}, "sohee", {"soul_id": SOUL_ID, "uid": "somebody"}])
def test_a_payload_that_does_not_fit(app: AppClient, uid: str, data: object) -> None:
    assert refused(app, data).code == "invalid-argument"


def test_nobody_is_asked_to_sign_in(app: AppClient) -> None:
    assert refused(app, {"soul_id": SOUL_ID}).code == "unauthenticated"


def test_an_unknown_soul(app: AppClient, uid: str) -> None:
    unknown = f"nobody-{uuid4().hex}"
    app.create_thread(unknown)
    assert app.watch_thread(unknown) == "failed"
    error = refused(app, {"soul_id": unknown})
    assert error.code == "not-found"
    assert f"souls/{unknown}" in str(error)


def test_ids_beyond_ascii_are_as_good_as_others(
    app: AppClient, admin: firestore.Client, suite: Suite
) -> None:
    uid, soul_id = app.sign_in(f"유저-{uuid4().hex}"), f"윤해온-100%41-{uuid4().hex}"
    soul = admin.document("souls", soul_id)
    soul.set({"character_ids": ["x"]})
    soul.collection("slots").document("soul_messenger_bio").set({"display_name": "해온"})
    soul.collection("slots").document("soul_default_persona").set({"content": "조용하다."})
    app.create_thread(soul_id)
    assert app.watch_thread(soul_id) == "empty"
    app.send_message(soul_id, "user", "들려요?")
    reader = ThreadReader(admin, uid, soul_id)
    follower = Follower(reader.look, 600, lambda: suite.program.has_ended, lambda _: None)
    assert follower.wait_until_quiet(1).counted_messages == 1


def test_a_thread_that_was_never_opened(app: AppClient, uid: str) -> None:
    error = refused(app, {"soul_id": SOUL_ID})
    assert error.code == "not-found"
    assert f"users/{uid}/threads/{SOUL_ID}" in str(error)


def test_a_directors_document_that_does_not_fit(
    app: AppClient, admin: firestore.Client, uid: str
) -> None:
    soul_id = f"misshapen-{uuid4().hex}"
    soul = admin.document("souls", soul_id)
    soul.set({"character_ids": ["x"], "time_zone": "Mars/Olympus"})
    soul.collection("slots").document("soul_messenger_bio").set({"display_name": "소희"})
    soul.collection("slots").document("soul_default_persona").set({"content": "비밀 설정이다."})
    app.create_thread(soul_id)
    app.watch_thread(soul_id)
    error = refused(app, {"soul_id": soul_id})
    assert error.code == "failed-precondition"
    assert f"souls/{soul_id}, field time_zone" in str(error)
    assert "비밀" not in str(error)


@pytest.mark.parametrize("text", ["", " \n\t", "\u3000\u200b", "가" * 4001, "😀" * 2001])
def test_a_text_that_does_not_fit_is_refused_by_the_rules(
    app: AppClient, uid: str, text: str
) -> None:
    app.create_thread(SOUL_ID)
    with pytest.raises(AppError) as raised:
        app.send_message(SOUL_ID, "user", text)
    assert raised.value.code == "permission-denied"
    assert app.list_messages(SOUL_ID) == []


def test_half_an_emoji_is_counted_and_composed(
    app: AppClient, admin: firestore.Client, suite: Suite, uid: str
) -> None:
    """Firestore takes half a surrogate pair over REST; no SDK of Google's sends one."""
    app.create_thread(SOUL_ID)
    app.watch_thread(SOUL_ID)
    root = f"http://{suite.hosts['firestore']}/v1/projects/{suite.project_id}"
    fields = {
        "role": {"stringValue": "user"},
        "text": {"stringValue": "반쪽 \ud83d"},
        "created_at": {"timestampValue": "2026-05-28T14:14:00Z"},
    }
    answer = requests.post(
        f"{root}/databases/(default)/documents/users/{uid}/threads/{SOUL_ID}/messages",
        json={"fields": fields},
        headers={"Authorization": "Bearer owner"},
        timeout=20,
    )
    assert answer.status_code == 200
    wait_until_quiet(admin, suite, uid, 1)
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert "반쪽" in prompt["contents"][-1]["parts"][-1]["text"]


def test_a_thread_created_twice_is_one_thread(app: AppClient, uid: str) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    before = app.get_thread(SOUL_ID)
    with pytest.raises(AppError):
        app.create_thread(SOUL_ID)
    assert app.get_thread(SOUL_ID) == before


def test_messages_before_their_thread_are_counted_and_kept(
    app: AppClient, admin: firestore.Client, suite: Suite, uid: str
) -> None:
    sent = [app.send_message(SOUL_ID, "user", f"{number}번째 말") for number in range(3)]
    wait_until_quiet(admin, suite, uid, 3)
    assert app.get_thread(SOUL_ID) is None
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert "2번째 말" in prompt["contents"][-1]["parts"][-1]["text"]
    assert len(sent) == 3


def test_a_burst_of_five_hundred_messages_loses_none(
    app: AppClient, admin: firestore.Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    app.watch_thread(SOUL_ID)
    messages: Any = admin.collection("users", uid, "threads", SOUL_ID, "messages")
    batch = admin.batch()
    for number in range(500):
        body = {"role": "user", "text": f"{number}번째 말이 한꺼번에 온다"}
        batch.set(
            messages.document(f"b{number:03d}"), {**body, "created_at": firestore.SERVER_TIMESTAMP}
        )
    batch.commit()
    wait_until_quiet(admin, suite, uid, 500)
    report = ThreadReader(admin, uid, SOUL_ID).report(500)
    assert report.accounts.balanced
    assert report.summary_cycles >= 1
