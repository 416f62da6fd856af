"""An image from the app into the prompt: the real SDK, rules, trigger and callable."""

from typing import Any

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tests.storage_rules.rest import Storage
from tools.app_client import AppClient, AppError
from tools.emulators import PROJECT_ID, Suite

pytestmark = [pytest.mark.suite, pytest.mark.storage]

BUCKET = f"{PROJECT_ID}.firebasestorage.app"


def image_at(path: str) -> dict[str, str]:
    return {"path": path, "content_type": "image/jpeg"}


def test_an_image_is_put_in_named_counted_and_seen(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    path = f"users/{uid}/images/a1.jpg"
    if "storage" in suite.hosts:
        assert Storage(suite.hosts["storage"], BUCKET).user(uid).upload(path) == "OK"
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    app.send_message(SOUL_ID, "user", "", image=image_at(path))
    assert wait_until_quiet(admin, suite, uid, 1).pending_tokens == 258
    (stored,) = app.list_messages(SOUL_ID)
    assert (stored["text"], stored["image"], stored["token_count"]) == ("", image_at(path), 258)

    composed: dict[str, Any] = app.call("compose_prompt", {"soul_id": SOUL_ID})
    *_, line, file = composed["contents"][-1]["parts"]
    assert line["text"].endswith("] (이미지)")
    assert file == {"file_data": {"file_uri": f"gs://{BUCKET}/{path}", "mime_type": "image/jpeg"}}


def test_a_suite_keeps_its_images_to_itself(suite: Suite, uid: str) -> None:
    """Others run on this machine, and each takes its own folder away when it ends."""
    if "storage" not in suite.hosts:
        pytest.skip("no program for storage.rules: the suite runs without storage")
    upload = Storage(suite.hosts["storage"], BUCKET).user(uid).upload
    assert upload(f"users/{uid}/images/a1.jpg") == "OK"
    assert any((suite.log_path.parent / "firebase" / "storage" / "blobs").iterdir())


def test_another_users_image_is_refused(app: AppClient, uid: str) -> None:
    app.create_thread(SOUL_ID)
    with pytest.raises(AppError) as refused:
        app.send_message(SOUL_ID, "user", "", image=image_at("users/somebody/images/a1.jpg"))
    assert refused.value.code == "permission-denied"
