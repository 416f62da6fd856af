"""A user takes their data along and leaves: the real SDK, callables, rules and triggers."""

import json
from collections.abc import Callable
from functools import partial
from urllib.parse import unquote
from uuid import uuid4

import pytest
import requests
from google.cloud.firestore import Client

from shared.exporting.export_document import Export
from shared.exporting.export_my_data import INLINE_BYTES
from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tests.storage_rules.rest import Storage
from tools.app_client import AppClient, AppError
from tools.emulators import PROJECT_ID, Suite

pytestmark = pytest.mark.suite

BUCKET = f"{PROJECT_ID}.firebasestorage.app"


def paths_of(admin: Client, uid: str) -> list[str]:
    """Everything that there is of a user."""
    found = admin.collection("users").recursive().select(["__name__"]).stream()
    return [one.reference.path for one in found if one.reference.path.split("/")[1] == uid]


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(AppError) as raised:
        call()
    return raised.value.code


def test_a_small_export_is_in_the_answer(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    said = ["필름 찾았어요?", "네 \u2028어제 📷", "잘됐다"]
    for text in said:
        app.send_message(SOUL_ID, "user", text)
    wait_until_quiet(admin, suite, player, 3)
    answer = app.call("export_my_data", {})
    assert "url" not in answer
    given = Export.model_validate_json(json.dumps(answer["export"]))
    (thread,) = given.threads
    assert (given.uid, thread.soul_id, thread.memory_status) == (player, SOUL_ID, "ready")
    assert [one.text for one in thread.messages] == said
    assert thread.slots["long_term_memory"].content.startswith("- [Episode / ")
    assert [(one.kind, one.status) for one in thread.cycles] == [("seed", "applied")]
    assert len(given.plays) == 4
    assert all(one.summaries for one in given.plays[:3])
    assert given.unreadable == ()


def test_a_large_export_is_a_file_that_only_its_address_opens(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    if "storage" not in suite.hosts:
        pytest.skip("no storage emulator here: `make setup` says what it needs")
    play = admin.document("users", uid, "plays", "p1")
    played = {"episode_id": "e1", "episode_number": 1, "episode_title": "강변", "scene_count": 400}
    times = {"last_played_at": admin.document("souls", SOUL_ID).get().read_time}
    play.set({**played, **times, "character_appearances": {}})
    batch = admin.batch()
    for index in range(400):
        body = {"index": index, "text": f"{index}째 장면. " + "달린다 " * 300}
        batch.set(play.collection("scenes").document(f"{index:03d}"), body)
    batch.commit()
    answer = app.call("export_my_data", None)
    assert "export" not in answer
    assert answer["size_bytes"] > INLINE_BYTES
    text = requests.get(answer["url"], timeout=30).content.decode()
    assert len(text.encode()) == answer["size_bytes"]
    assert len(Export.model_validate_json(text).plays[0].scenes) == 400
    path = unquote(answer["url"].split("/o/")[1].split("?")[0])
    assert path.startswith(f"exports/{uid}/")
    storage = Storage(suite.hosts["storage"], BUCKET)
    assert storage.user(uid).download(path) == storage.nobody().download(path) == "REFUSED"
    assert app.call("delete_my_data", {})["files"] == 1
    assert requests.get(answer["url"], timeout=30).status_code in {403, 404}


def test_so_many_exports_a_day(app: AppClient, uid: str) -> None:
    for _ in range(3):
        assert app.call("export_my_data", {})["export"]["uid"] == uid
    assert refused(lambda: app.call("export_my_data", {})) == "resource-exhausted"
    assert refused(lambda: app.call("export_my_data", {"uid": "남"})) == "invalid-argument"
    app.sign_out()
    assert refused(lambda: app.call("export_my_data", {})) == "unauthenticated"


def test_all_goes_and_what_is_written_late_goes_again(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    app.send_message(SOUL_ID, "user", "잘 지내요")
    wait_until_quiet(admin, suite, player, 1)
    app.call("generate_reply", {"soul_id": SOUL_ID, "request_id": uuid4().hex})
    other = admin.document("users", f"{player}2", "plays", "p1")
    other.set({"episode_id": "e1"})

    done = app.call("delete_my_data", {})
    assert done["finished"]
    assert done["documents"] > 10
    assert paths_of(admin, player) == []
    assert other.get().exists
    assert app.call("delete_my_data", {}) == done
    assert refused(lambda: app.read(f"deletions/{player}")) == "permission-denied"
    for name in ("compose_prompt", "generate_reply", "export_my_data"):
        asked = {"soul_id": SOUL_ID, "request_id": "r1"}
        data = {key: asked[key] for key in REQUIRED[name]}
        assert refused(partial(app.call, name, data)) == "not-found"

    app.send_message(SOUL_ID, "user", "지하철이라 이제 보내져요")
    wait_until_empty(suite, admin, player)
    app.create_thread(SOUL_ID)
    wait_until_empty(suite, admin, player)


REQUIRED = {
    "compose_prompt": ("soul_id",),
    "generate_reply": ("soul_id", "request_id"),
    "export_my_data": (),
}


def wait_until_empty(suite: Suite, admin: Client, uid: str) -> None:
    suite.program.wait_until(lambda: paths_of(admin, uid) == [], seconds=60)


def test_a_user_whose_account_is_gone_is_put_on_record(
    app: AppClient, admin: Client, uid: str
) -> None:
    gone = f"gone-{uuid4().hex}"
    for one in (uid, gone):
        admin.document("users", one, "plays", "p1").set({"episode_id": "e1"})
    assert refused(lambda: app.call("run_nightly_sweep", {})) == "permission-denied"
    app.sign_in(f"o-{uuid4().hex}", claims={"operator": True})
    report = app.call("run_nightly_sweep", {})
    assert (report["users_deleted"], report["errors"]) == (0, [])
    assert admin.document("missing_accounts", gone).get().exists
    assert not admin.document("missing_accounts", uid).get().exists
    assert admin.document("users", gone, "plays", "p1").get().exists
