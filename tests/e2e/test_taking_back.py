"""What an owner takes back over the real SDK leaves counters and memory, by the real triggers."""

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet, wait_until_settled
from tools.app_client import SERVER_TIME, AppClient, AppError
from tools.demo import demo_messages
from tools.emulators import Suite
from tools.thread_report import ThreadReader

pytestmark = pytest.mark.suite

CHAT = demo_messages()[:60]
SECRET = "이건 꼭 기억해 줘요, 어릴 때 내 별명은 갈매도롱이에요. 약속!"


def memory(admin: Client, uid: str) -> str:
    """All that is stored of the thread's memory, its audits too."""
    thread = admin.document(f"users/{uid}/threads/{SOUL_ID}")
    return "\n".join(
        str(found.to_dict())
        for name in ("slots", "lorebook", "cycles")
        for found in thread.collection(name).stream()
    )


def test_what_is_deleted_or_edited_leaves_memory(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    messages = f"users/{uid}/threads/{SOUL_ID}/messages"
    told = app.send_message(SOUL_ID, "user", SECRET)
    ids = app.send_messages(SOUL_ID, CHAT)
    wait_until_quiet(admin, suite, uid, len(CHAT) + 1)
    assert "갈매도롱" in memory(admin, uid)

    app.write(f"{messages}/{told}", {}, operation="delete")
    wait_until_settled(admin, uid, 1)
    assert "갈매도롱" not in memory(admin, uid)

    app.write(
        f"{messages}/{ids[0]}",
        {"text": "고쳐 쓴 첫마디예요", "edited_at": SERVER_TIME},
        operation="update",
    )
    pending = app.send_message(SOUL_ID, "user", "방금 잘못 쓴 말")
    wait_until_quiet(admin, suite, uid, len(CHAT) + 1)
    app.write(
        f"{messages}/{pending}", {"text": "이제 제대로 길게 고쳐 쓴 말이에요"}, operation="update"
    )
    wait_until_settled(admin, uid, 3)
    report = ThreadReader(admin, uid, SOUL_ID).report(len(CHAT) + 1)
    assert report.accounts.balanced, report.accounts.problems
    state = admin.document(f"users/{uid}/threads/{SOUL_ID}/state/memory").get().to_dict() or {}
    assert ids[0] in [one["message_id"] for one in state["reread"]]

    app.send_messages(SOUL_ID, CHAT)
    wait_until_quiet(admin, suite, uid, 2 * len(CHAT) + 1)
    assert "갈매도롱" not in memory(admin, uid)
    assert ThreadReader(admin, uid, SOUL_ID).report(2 * len(CHAT) + 1).accounts.balanced


def test_the_souls_words_may_be_deleted_and_not_edited(app: AppClient, uid: str) -> None:
    app.create_thread(SOUL_ID)
    said = app.send_message(SOUL_ID, "soul", "어서 와요")
    path = f"users/{uid}/threads/{SOUL_ID}/messages/{said}"
    with pytest.raises(AppError) as refused:
        app.write(path, {"text": "가지 마요"}, operation="update")
    assert refused.value.code == "permission-denied"
    app.write(path, {}, operation="delete")
    assert app.read(path) is None
