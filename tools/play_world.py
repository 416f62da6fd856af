"""The world `make play` opens in: the demo's Souls, and users who may see everything of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from tools.demo_world import DATA, demo_plays, demo_soul, write_plays, write_soul
from tools.suite_config import Page
from tools.thread_report import admin_client
from tools.web_page import build_page

if TYPE_CHECKING:
    from tools.emulators import Suite

PASSWORD = "emulator-only"
CHAT = DATA / "chat.jsonl"
# In development one person is the user, the operator and the director; the page says so.
CLAIMS = {"operator": True, "director": True}
_SECONDS = 20.0


@dataclass(frozen=True)
class PlayUser:
    """One of the demo's users; `has_played` says whether the game knows episodes of theirs."""

    uid: str
    name: str
    has_played: bool

    @property
    def email(self) -> str:
        return f"{self.uid}@example.com"


USERS = (
    PlayUser("sambun", "삼분", has_played=True),
    PlayUser("newcomer", "Newcomer", has_played=False),
)


def play_souls() -> list[dict[str, Any]]:
    """The demo's Soul, and one who speaks English."""
    english = json.loads((DATA / "soul_en.json").read_text(encoding="utf-8"))
    return [demo_soul(), english]


def play_page() -> Page:
    """Build the page, and say what it is told of its world."""
    facts = {
        "users": [{**asdict(user), "email": user.email, "password": PASSWORD} for user in USERS],
        "soul_ids": [soul["soul_id"] for soul in play_souls()],
    }
    return Page(built=build_page(), facts=facts, files=(CHAT,))


def seed_world(suite: Suite) -> None:
    """Write Souls, users and plays into a suite that has just started."""
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    for soul in play_souls():
        write_soul(client, soul)
    for user in USERS:
        make_user(suite, user)
        if user.has_played:
            write_plays(client, user.uid, demo_plays())


def make_user(suite: Suite, user: PlayUser) -> None:
    """Make a user with a password and the claims of development."""
    account = {"localId": user.uid, "email": user.email, "displayName": user.name}
    _post(suite, "accounts", {**account, "password": PASSWORD})
    claims = {"localId": user.uid, "customAttributes": json.dumps(CLAIMS)}
    _post(suite, "accounts:update", claims)


def _post(suite: Suite, method: str, body: dict[str, str]) -> None:
    host, project = suite.hosts["auth"], suite.project_id
    request = Request(
        f"http://{host}/identitytoolkit.googleapis.com/v1/projects/{project}/{method}",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer owner"},
    )
    with urlopen(request, timeout=_SECONDS):
        pass
