"""A character remembers: the real SDK, the real triggers, the real queue (PRD §5, §6, §8)."""

import json

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient
from tools.emulators import Suite
from tools.thread_report import ThreadReader

pytestmark = pytest.mark.suite

CHAT = [
    {"role": "user" if number % 2 == 0 else "soul", "text": text}
    for number, text in enumerate(
        [
            "소장님 저 오늘 여수 향일암까지 걸어 올라갔다 왔어요. 다리가 아직도 후들거려요",
            "계단이 많았을 텐데요. 무릎은 괜찮습니까",
            "괜찮아요! 대신 약속 하나만 해 주세요. 8월에 파란 우산 꼭 돌려주기",
            "약속합니다. 우산은 암실 문 옆에 걸어 두었습니다",
        ]
        * 10
    )
]


def test_a_user_who_played_is_remembered(
    app: AppClient, admin: Client, suite: Suite, player: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "ready"
    first = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert (first["memory_status"], first["generation"]) == ("ready", 1)
    assert '- [Episode / "' in first["system_instruction"]
    assert "## Recent context" not in first["system_instruction"]

    app.send_messages(SOUL_ID, CHAT)
    wait_until_quiet(admin, suite, player, len(CHAT))
    report = ThreadReader(admin, player, SOUL_ID).report(len(CHAT))
    assert report.accounts.balanced
    assert report.summary_cycles >= 1
    assert set(report.models) == {"extractive-stand-in"}
    assert report.lorebook

    app.send_message(SOUL_ID, "user", "파란 우산 어디에 있다고 했죠?")
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert prompt["generation"] == 1 + report.summary_cycles
    assert prompt["lorebook_entry_ids"]
    lead = prompt["contents"][0]["parts"][0]["text"]
    assert lead.startswith("# Initial/Recent Context")
    assert prompt["contents"][-1]["parts"][-1]["text"].endswith("파란 우산 어디에 있다고 했죠?")


def test_events_are_json_lines_without_the_users_words(
    app: AppClient, admin: Client, suite: Suite, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    before = len(suite.log())
    app.send_messages(SOUL_ID, CHAT)
    wait_until_quiet(admin, suite, uid, len(CHAT))
    log = suite.log()[before:]
    lines = [json.loads(line[1:].strip()) for line in log.splitlines() if line.startswith(">  {")]
    events = [line for line in lines if line.get("event") == "run_dm_memory_update"]
    assert events
    assert events[0]["soul_id"] == SOUL_ID
    assert events[0]["messages_consumed"] > 0
    assert "recent_context" in events[0]["slots_changed"]
    unchanged = {line["slot"] for line in lines if line.get("event") == "no_update_dm_memory_slot"}
    assert "soul_relational_persona" in unchanged
    assert "파란 우산" not in log


def test_the_directors_edit_arrives_in_the_next_prompt(
    app: AppClient, admin: Client, uid: str
) -> None:
    app.create_thread(SOUL_ID)
    assert app.watch_thread(SOUL_ID) == "empty"
    persona = admin.document("souls", SOUL_ID, "slots", "soul_default_persona")
    before = (persona.get().to_dict() or {})["content"]
    persona.set({"content": "오늘부터 존댓말만 쓴다."})
    try:
        prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    finally:
        persona.set({"content": before})
    assert "### Default\n오늘부터 존댓말만 쓴다." in prompt["system_instruction"]
