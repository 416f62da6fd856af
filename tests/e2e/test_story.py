"""A character remembers: the real SDK, the real triggers, the real queue (PRD §5, §6, §8)."""

import json

import pytest
from google.cloud.firestore import Client

from tests.e2e.conftest import SOUL_ID, wait_until_quiet
from tools.app_client import AppClient
from tools.demo import demo_messages
from tools.emulators import Suite
from tools.thread_report import ThreadReader

pytestmark = pytest.mark.suite

CHAT = demo_messages()[:120]


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

    app.send_message(SOUL_ID, "user", "앤더스 감독님은 요즘 어떠세요?")
    prompt = app.call("compose_prompt", {"soul_id": SOUL_ID})
    assert prompt["generation"] == 1 + report.summary_cycles
    assert prompt["lorebook_entry_ids"]
    lead = prompt["contents"][0]["parts"][0]["text"]
    assert lead.startswith("# Initial/Recent Context")
    assert prompt["contents"][-1]["parts"][-1]["text"].endswith("앤더스 감독님은 요즘 어떠세요?")


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
    assert "앤더스" not in log


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
