"""The whole suite with the demo's Soul in it, and the app on the real Firebase SDK."""

import time
from collections.abc import Iterator
from threading import Event
from uuid import uuid4

import pytest
from google.cloud.firestore import Client

from tests.conftest import SUITE_SETTINGS
from tools.app_client import AppClient
from tools.demo_world import demo_plays, demo_soul, write_plays, write_soul
from tools.emulators import Suite
from tools.thread_report import Standing, ThreadReader, admin_client
from tools.waiting import POLL_SECONDS, Follower

SETTLE_SECONDS = 60.0
SOUL_ID = str(demo_soul()["soul_id"])


@pytest.fixture(scope="session")
def admin(suite: Suite) -> Client:
    """The Admin side: Studio, the game's back end, an operator."""
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    write_soul(client, demo_soul())
    return client


@pytest.fixture
def app(suite: Suite, admin: Client) -> Iterator[AppClient]:
    with AppClient(suite) as client:
        yield client


@pytest.fixture
def uid(app: AppClient) -> str:
    """A signed-in user who has played nothing."""
    return app.sign_in(f"u-{uuid4().hex}")


@pytest.fixture
def player(app: AppClient, admin: Client) -> str:
    """A signed-in user who has played three episodes with the Soul."""
    uid = app.sign_in(f"p-{uuid4().hex}")
    write_plays(admin, uid, demo_plays())
    return uid


def wait_until_quiet(admin: Client, suite: Suite, uid: str, sent: int) -> Standing:
    """Until `sent` messages are counted and no cycle is due or at work."""
    follower = Follower(
        look=ThreadReader(admin, uid, SOUL_ID).look,
        trigger=int(SUITE_SETTINGS["CYCLE_TRIGGER_TOKENS"]),
        has_ended=lambda: suite.program.has_ended,
        on_look=lambda _: None,
    )
    return follower.wait_until_quiet(sent)


def wait_until_settled(admin: Client, uid: str, changes: int) -> None:
    """Until so many edits and deletions of the thread's messages have been settled."""
    settled = admin.collection(f"users/{uid}/threads/{SOUL_ID}/changes")
    end, pause = time.monotonic() + SETTLE_SECONDS, Event()
    while len(list(settled.stream())) < changes:
        assert time.monotonic() < end, f"fewer than {changes} changes were settled"
        pause.wait(POLL_SECONDS)
