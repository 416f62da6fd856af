"""A user imports what was played since, and removes a play: the real SDK, triggers and queue."""

import json
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID
from tools.app_client import AppClient, AppError
from tools.demo_world import demo_plays, write_plays
from tools.emulators import Suite

pytestmark = pytest.mark.suite

NEW = "등대에 불을 켠 밤"
TOLD = "앤더스 감독의 등대에서 두 사람은 끝까지 불을 지켰다. 소희가 먼저 웃었다."


def play_another(admin: Client, uid: str) -> str:
    """One more episode, as the game writes it; gives its id."""
    play = {
        **demo_plays()[0],
        "play_id": "play-new",
        "episode_id": "episode-new",
        "episode_number": 99,
        "episode_title": NEW,
        "summaries": [{"summary_id": "s0", "index": 0, "text": TOLD}],
    }
    write_plays(admin, uid, [play])
    return "play-new"


def test_what_was_played_since_is_imported_once(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    request = {"soul_id": SOUL_ID, "request_id": uuid4().hex}
    assert app.call("load_recent_memories", request) == {"status": "nothing_new"}

    play_id = play_another(admin, player)
    before = len(suite.log())
    request = {"soul_id": SOUL_ID, "request_id": uuid4().hex, "charge_id": "star-7"}
    imported = app.call("load_recent_memories", request)
    assert imported == {
        "status": "imported",
        "cycle_id": "000002",
        "episode_play_ids": [play_id],
        "slots_changed": imported["slots_changed"],
    }
    assert "long_term_memory" in imported["slots_changed"]
    assert app.call("load_recent_memories", request) == imported
    other = {**request, "request_id": uuid4().hex}
    assert app.call("load_recent_memories", other) == {"status": "nothing_new"}

    live = app.read(f"users/{player}/threads/{SOUL_ID}/live/import")
    assert live["status"] == "nothing_new"
    assert [one["cycle_id"] for one in live["answered"]] == [None, "000002", None]
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert prompt["generation"] == 2
    assert NEW in prompt["system_instruction"]
    events = [
        json.loads(line[1:].strip())
        for line in suite.log()[before:].splitlines()
        if line.startswith(">  {")
    ]
    (event,) = [one for one in events if one.get("event") == "seed_dm_memory_from_episode"]
    assert (event["source"], event["charge_id"]) == ("recent_memory_load", "star-7")


def test_only_the_owner_sees_an_import(app: AppClient, player: str) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    app.call("load_recent_memories", {"soul_id": SOUL_ID, "request_id": "r1"})
    app.sign_in(f"other-{uuid4().hex[:8]}")
    with pytest.raises(AppError) as refused:
        app.read(f"users/{player}/threads/{SOUL_ID}/live/import")
    assert refused.value.code == "permission-denied"
    with pytest.raises(AppError) as unknown:
        app.call("load_recent_memories", {"soul_id": SOUL_ID, "request_id": "r1"})
    assert unknown.value.code == "not-found"
    with pytest.raises(AppError) as misshapen:
        app.call(
            "load_recent_memories",
            {"soul_id": SOUL_ID, "request_id": "r1", "charge_id": "별 세 개"},
        )
    assert misshapen.value.code == "invalid-argument"


def test_a_play_that_is_removed_takes_its_record_along(
    app: AppClient, admin: Client, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    play_id = demo_plays()[0]["play_id"]
    play = admin.document("users", player, "plays", play_id)
    assert list(play.collection("summaries").limit(1).stream())
    play.delete()
    wait_until_empty(play.collection("summaries"))
    wait_until_empty(play.collection("scenes"))
    others = admin.document("users", player, "plays", demo_plays()[1]["play_id"])
    assert list(others.collection("summaries").limit(1).stream())
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert demo_plays()[0]["episode_title"] in prompt["system_instruction"]


def wait_until_empty(collection: Any) -> None:
    """Listen to a collection until nothing is in it."""
    empty = Event()
    watch = collection.on_snapshot(lambda found, *_: None if found else empty.set())
    try:
        assert empty.wait(60)
    finally:
        watch.unsubscribe()
