"""The sweep as an operator calls it."""

from datetime import UTC, datetime
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient, AppError
from tools.emulators import Suite

pytestmark = pytest.mark.suite


def test_only_operators_may_call_it(app: AppClient, uid: str) -> None:
    with pytest.raises(AppError) as refused:
        app.call("run_sweep", {})
    assert refused.value.code == "permission-denied"
    app.sign_out()
    with pytest.raises(AppError) as nobody:
        app.call("run_sweep", {})
    assert nobody.value.code == "unauthenticated"
    app.sign_in(f"d-{uuid4().hex}", claims={"director": True, "operator": "true"})
    with pytest.raises(AppError) as director:
        app.call("run_sweep", {})
    assert director.value.code == "permission-denied"


def test_a_cycle_whose_task_vanished_is_roused_and_applied(
    app: AppClient, admin: firestore.Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    thread = admin.collection("users", uid, "threads").document(SOUL_ID)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    times = {"requested_at": long_ago, "moved_at": long_ago}
    cycle = thread.collection("cycles").document("000001")
    cycle.set({"kind": "summary", "status": "queued", **times})
    app.send_messages(SOUL_ID, [{"role": "user", "text": f"{n}번째 말이에요"} for n in range(12)])
    wait_until_quiet(admin, suite, uid, 12)
    app.sign_in(f"o-{uuid4().hex}", claims={"operator": True})
    report = app.call("run_sweep", {})
    assert report["cycles_roused"] == 1
    app.sign_in(uid)
    wait_until_applied(admin, uid)


def wait_until_applied(admin: firestore.Client, uid: str) -> None:
    """Listen to the fence until its generation has moved."""
    applied = Event()
    fence = admin.document("users", uid, "threads", SOUL_ID, "state", "memory")

    def look(found: object, *_: object) -> None:
        for snapshot in found:  # type: ignore[attr-defined]
            if (snapshot.to_dict() or {}).get("generation") == 1:
                applied.set()

    watch: Any = fence.on_snapshot(look)
    try:
        assert applied.wait(60)
    finally:
        watch.unsubscribe()
