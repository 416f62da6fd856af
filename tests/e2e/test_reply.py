"""A Soul answers: the real SDK asks, streams and watches; the stand-in speaks (PRD §8-A)."""

from uuid import uuid4

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient, AppError
from tools.emulators import Suite

pytestmark = pytest.mark.suite


def test_a_soul_answers_in_a_stream_and_once(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    app.send_message(SOUL_ID, "user", "앤더스 감독님 기억나세요?")
    request = {"soul_id": SOUL_ID, "request_id": uuid4().hex}
    chunks: list[dict[str, str]] = []
    given = app.stream("generate_reply", request, chunks.append)
    bubbles = [chunk["bubble"] for chunk in chunks]
    assert bubbles == [one["text"] for one in given["messages"]]
    assert "대역" in bubbles[0]
    assert given["model"] == "extractive-stand-in"
    wait_until_quiet(admin, suite, player, 1 + len(bubbles))
    said = [one for one in app.list_messages(SOUL_ID) if one["role"] == "soul"]
    assert [one["text"] for one in said] == bubbles
    assert {one["generation_id"] for one in said} == {given["generation_id"]}
    live = app.read(f"users/{player}/threads/{SOUL_ID}/live/reply")
    assert (live["status"], live["message_ids"]) == ("done", [one["id"] for one in said])

    again = app.call("generate_reply", request)
    assert again["messages"] == given["messages"]

    other = app.call("generate_reply", {**request, "request_id": uuid4().hex})
    assert other["replaced"]
    wait_until_quiet(admin, suite, player, 1 + len(other["messages"]))
    left = [one["text"] for one in app.list_messages(SOUL_ID) if one["role"] == "soul"]
    assert left == [one["text"] for one in other["messages"]]


def test_the_stand_in_says_only_once_what_it_is(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    app.watch_thread(SOUL_ID)
    sent = 0
    for text in ("안녕하세요", "오늘 비 온대요"):
        app.send_message(SOUL_ID, "user", text)
        given = app.call("generate_reply", {"soul_id": SOUL_ID, "request_id": uuid4().hex})
        sent += 1 + len(given["messages"])
        wait_until_quiet(admin, suite, uid, sent)
    said = [one["text"] for one in app.list_messages(SOUL_ID) if one["role"] == "soul"]
    assert sum("대역" in text for text in said) == 1
    assert any("비 온대요" in text for text in said)


def test_a_failure_reaches_the_app_with_its_code(app: AppClient, uid: str) -> None:
    request = {"soul_id": SOUL_ID, "request_id": uuid4().hex}
    with pytest.raises(AppError) as refused:
        app.stream("generate_reply", request, lambda _: None)
    assert refused.value.code == "not-found"
    with pytest.raises(AppError) as unnamed:
        app.call("generate_reply", {"soul_id": SOUL_ID})
    assert unnamed.value.code == "invalid-argument"


def test_operators_see_what_the_soul_knows(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    asked = {"uid": player, "soul_id": SOUL_ID}
    with pytest.raises(AppError) as refused:
        app.call("inspect_thread", asked)
    assert refused.value.code == "permission-denied"
    app.sign_in(f"operator-{uuid4().hex[:8]}", claims={"operator": True})
    found = app.call("inspect_thread", asked)
    assert found["slots"]["long_term_memory"]["slot"]["content"].startswith("- [Episode / ")
    assert found["slots"]["long_term_memory"]["before"] == ""
    assert [(one["kind"], one["status"]) for one in found["cycles"]] == [("seed", "applied")]
    assert found["prompt"]["system_instruction"]
    assert "recall" in found["prompt"]
