"""The Firebase JS SDK against the suite, as the app uses it, and under the rules."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from tools.app_client import SERVER_TIME, AppClient, AppError
from tools.demo_world import write_soul
from tools.emulators import Suite
from tools.replay import named_soul
from tools.thread_report import admin_client

pytestmark = pytest.mark.suite

SOUL = named_soul("서윤", "ko")
SOUL_ID = SOUL["soul_id"]


@pytest.fixture(scope="module")
def app(suite: Suite) -> Iterator[AppClient]:
    write_soul(admin_client(suite.project_id, suite.hosts["firestore"]), SOUL)
    with AppClient(suite) as running:
        yield running


def a_uid() -> str:
    return f"app-{uuid4().hex[:12]}"


def test_a_chat_begins(app: AppClient) -> None:
    uid = a_uid()
    assert app.sign_in(uid) == uid
    assert app.get_thread(SOUL_ID) is None
    app.create_thread(SOUL_ID)
    statuses: list[str] = []
    assert app.watch_thread(SOUL_ID, on_status=statuses.append) == "empty"
    assert statuses[-1] == "empty"
    sent: list[int] = []
    chat = [{"role": "user", "text": "왔어요?"}, {"role": "soul", "text": "네\u2028방금"}]
    ids = app.send_messages(SOUL_ID, chat, on_sent=sent.append)
    ids.append(app.send_message(SOUL_ID, "user", "늦었네 ㅋㅋ 👩‍👩‍👧"))
    assert sent == [1, 2]
    stored = app.list_messages(SOUL_ID)
    assert [one["id"] for one in stored] == ids
    assert [one["text"] for one in stored] == ["왔어요?", "네\u2028방금", "늦었네 ㅋㅋ 👩‍👩‍👧"]
    composed = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert composed["memory_status"] == "empty"
    assert "늦었네" in composed["contents"][-1]["parts"][-1]["text"]


def test_refusals_carry_the_codes_of_the_sdk(app: AppClient) -> None:
    app.sign_in(a_uid())
    refused: dict[str, Callable[[], object]] = {
        "permission-denied": lambda: app.read("users/somebody/threads/else"),
        "not-found": lambda: app.call("compose_prompt", {"soul_id": SOUL_ID}),
        "invalid-argument": lambda: app.call("compose_prompt", {"soul_id": "a/b"}),
    }
    for code, act in refused.items():
        with pytest.raises(AppError) as error:
            act()
        assert error.value.code == code
    app.sign_out()
    with pytest.raises(AppError) as nobody:
        app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert nobody.value.code == "unauthenticated"
    with pytest.raises(AppError) as signed_out:
        app.create_thread(SOUL_ID)
    assert signed_out.value.code == "signed-out"


def test_whoever_signs_in_by_mail_is_the_same_user_again(app: AppClient) -> None:
    mail = f"{a_uid()}@example.com"
    first = app.sign_in(email=mail)
    app.sign_out()
    assert app.sign_in(email=mail) == first


def test_a_claim_opens_what_the_rules_keep_for_it(app: AppClient) -> None:
    path = f"souls/{SOUL_ID}/slots/soul_default_persona"
    app.sign_in(a_uid())
    with pytest.raises(AppError, match="permission-denied"):
        app.read(path)
    app.sign_in(a_uid(), claims={"director": True})
    assert app.read(path) == {"content": "### 서윤"}
    app.write(f"souls/{SOUL_ID}-2/slots/note", {"at": SERVER_TIME, "content": "초안"})
    app.write(f"souls/{SOUL_ID}-2/slots/note", {"content": "다음"}, "update")
    assert [one["content"] for one in app.read(f"souls/{SOUL_ID}-2/slots")] == ["다음"]
    app.write(f"souls/{SOUL_ID}-2/slots/note", {}, "delete")
    assert app.read(f"souls/{SOUL_ID}-2/slots/note") is None
