"""A callable that streams, as the SDKs for apps hear it."""

import json
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, jsonify, request

from functions.streaming import streamed, tell_client

APP = Flask("streaming")


def answering(work: Callable[[], dict[str, Any]]) -> Callable[[Any], Response]:
    return streamed(lambda _: jsonify(work()))


def heard(work: Callable[[], dict[str, Any]], accept: str) -> Response:
    with APP.test_request_context("/", method="POST", headers={"Accept": accept}):
        response = answering(work)(request)
        response.get_data()
        return response


def says_two_things() -> dict[str, Any]:
    tell_client({"bubble": "안녕"})
    tell_client({"bubble": "자?\n"})
    return {"result": {"ok": True}}


def test_chunks_come_before_the_result() -> None:
    response = heard(says_two_things, "text/event-stream")
    assert response.mimetype == "text/event-stream"
    events = response.get_data(as_text=True).split("\n\n")
    assert events.pop() == ""
    assert [json.loads(event.removeprefix("data: ")) for event in events] == [
        {"message": {"bubble": "안녕"}},
        {"message": {"bubble": "자?\n"}},
        {"result": {"ok": True}},
    ]


def test_who_does_not_listen_gets_the_result_alone() -> None:
    response = heard(says_two_things, "application/json")
    assert response.get_json() == {"result": {"ok": True}}


def test_a_refusal_is_an_event_too() -> None:
    refusal = {"error": {"status": "ABORTED", "message": "no reply: busy"}}
    response = heard(lambda: refusal, "text/event-stream")
    assert json.loads(response.get_data(as_text=True).removeprefix("data: ")) == refusal


def test_two_callers_hear_their_own_chunks_only() -> None:
    def work() -> dict[str, Any]:
        tell_client(len(answers))
        return {"result": len(answers)}

    answers: list[str] = []
    for _ in range(2):
        answers.append(heard(work, "text/event-stream").get_data(as_text=True))
    assert [answer.count("message") for answer in answers] == [1, 1]
    tell_client("nobody listens")


def test_a_page_of_another_origin_may_hear_a_stream() -> None:
    response = heard(says_two_things, "text/event-stream")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
