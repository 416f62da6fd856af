"""`rollback_memory` as an operator calls it, through the real SDK and the real queue."""

from typing import Any
from uuid import uuid4

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient, AppError
from tools.demo import demo_messages
from tools.emulators import Suite
from tools.thread_report import ThreadReader

pytestmark = pytest.mark.suite

CHAT = demo_messages()[:60]


def asked(uid: str, /, **changes: object) -> dict[str, object]:
    base = {"uid": uid, "soul_id": SOUL_ID, "generation": 1, "request_id": "r1"}
    return {**base, **changes}


def refused(app: AppClient, data: object) -> AppError:
    with pytest.raises(AppError) as raised:
        app.call("rollback_memory", data)
    return raised.value


def test_only_operators_may_call_it(app: AppClient, uid: str) -> None:
    assert refused(app, asked(uid)).code == "permission-denied"
    app.sign_out()
    assert refused(app, asked(uid)).code == "unauthenticated"
    app.sign_in(f"d-{uuid4().hex}", claims={"director": True, "server": True, "operator": "true"})
    assert refused(app, asked(uid)).code == "permission-denied"


def test_what_does_not_fit_is_named(app: AppClient, uid: str) -> None:
    app.create_thread(SOUL_ID)
    app.sign_in(f"o-{uuid4().hex}", claims={"operator": True})
    for changes, named in (
        ({"generation": -1}, "generation"),
        ({"generation": "1"}, "generation"),
        ({"generation": True}, "generation"),
        ({"request_id": ""}, "request_id"),
        ({"uid": "a/b"}, "uid"),
        ({"generation": 0}, "present generation, 0"),
    ):
        error = refused(app, asked(uid, **changes))
        assert (error.code, named in str(error)) == ("invalid-argument", True)
    missing = refused(app, asked(f"nobody-{uuid4().hex}"))
    assert missing.code == "not-found"


def test_memory_goes_back_and_goes_on_from_there(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    for start in (0, 30):
        app.send_messages(SOUL_ID, CHAT[start : start + 30])
        wait_until_quiet(admin, suite, uid, start + 30)
    present = ThreadReader(admin, uid, SOUL_ID).report(len(CHAT)).cycles[-1].generation
    assert present >= 2

    operator = app.sign_in(f"o-{uuid4().hex}", claims={"operator": True})
    done = app.call("rollback_memory", asked(uid))
    assert app.call("rollback_memory", asked(uid)) == done
    assert (done["generation"], done["rolled_back_to"]) == (present + 1, 1)
    assert done["pending_messages"] > 0
    assert done["entries_withdrawn"] > 0
    first, audit = audits(admin, uid, 1, present + 1)
    assert audit["after"] == first["after"]
    assert audit["rollback"]["requested_by"] == operator

    wait_until_quiet(admin, suite, uid, len(CHAT))
    report = ThreadReader(admin, uid, SOUL_ID).report(len(CHAT))
    assert report.accounts.balanced
    assert report.cycles[-1].generation > present + 1
    undone = {f"{generation:06d}" for generation in range(2, present + 1)}
    assert not undone & {entry.cycle_id for entry in report.lorebook}
    logged = [line for line in suite.log().splitlines() if '"message": "rollback_memory"' in line]
    assert any(operator in line and done["cycle_id"] in line for line in logged)


def audits(admin: Client, uid: str, *generations: int) -> list[dict[str, Any]]:
    cycles = admin.document("users", uid, "threads", SOUL_ID).collection("cycles")
    return [cycles.document(f"{one:06d}").get().to_dict() or {} for one in generations]
