"""One batched read of everything that a prompt is composed from, on the emulator."""

from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from functions.adapters.firestore.souls import FirestoreSouls
from shared.errors import DocumentMisshapenError, DocumentNotFoundError
from shared.model.thread import ThreadKey
from tests.bench.operations import counted

pytestmark = pytest.mark.firestore


@pytest.fixture
def soul_id(client: firestore.Client) -> str:
    """A Soul as Studio writes it."""
    soul_id = uuid4().hex
    soul = client.document("souls", soul_id)
    soul.set({"character_ids": ["sohee"], "written_by": "studio"})
    slots = soul.collection("slots")
    slots.document("soul_messenger_bio").set({"display_name": "소희", "status": ""})
    slots.document("soul_default_persona").set({"content": "조용하다."})
    return soul_id


def test_a_soul_with_defaults(client: firestore.Client, soul_id: str) -> None:
    found = FirestoreSouls(client).read_soul(soul_id)
    assert (found.soul.time_zone, found.initial_situation) == ("Asia/Seoul", None)
    assert found.bio.display_name == "소희"


def test_everything_in_one_read(
    client: firestore.Client, soul_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ThreadKey(uid=uuid4().hex, soul_id=soul_id)
    thread = client.document("users", key.uid, "threads", soul_id)
    thread.set({"created_at": firestore.SERVER_TIMESTAMP, "memory_status": "ready"})
    thread.collection("slots").document("recent_context").set({"content": "- 안부."})
    calls: list[int] = []
    get_all = firestore.Client.get_all

    def counted(self: firestore.Client, references: list[Any], **kwargs: Any) -> Any:
        calls.append(len(references))
        return get_all(self, references, **kwargs)

    monkeypatch.setattr(firestore.Client, "get_all", counted)
    found = FirestorePromptSources(client, window_messages=1_000).read_prompt_sources(key)
    assert calls == [12]
    assert found.thread.memory_status == "ready"
    assert found.slots["recent_context"].content == "- 안부."


def test_memory_is_read_again_once_a_cycle_has_written_it(
    client: firestore.Client, soul_id: str
) -> None:
    key = ThreadKey(uid=uuid4().hex, soul_id=soul_id)
    thread = client.document("users", key.uid, "threads", soul_id)
    slot, state = thread.collection("slots").document("recent_context"), thread.collection("state")
    thread.set({"created_at": firestore.SERVER_TIMESTAMP})
    sources = FirestorePromptSources(client, window_messages=1_000)
    assert sources.read_prompt_sources(key).slots == {}
    for generation, text in enumerate(["- 안부.", "- 다툼."], start=1):
        slot.set({"content": text})
        state.document("memory").set({"generation": generation})
        for _ in range(2):
            found = sources.read_prompt_sources(key)
            assert (found.slots["recent_context"].content, found.state.generation) == (
                text,
                generation,
            )
    client.document("souls", soul_id, "slots", "soul_default_persona").set({"content": "밝다."})
    with counted() as operations:
        again = sources.read_prompt_sources(key)
    assert again.director.persona.content == "밝다."
    assert again.window == []
    # Seven documents, and a query beside them that finds nothing.
    assert (operations.reads, operations.round_trips) == (8, 2)


def test_the_window_of_a_chat_without_memory_is_read_along_until_memory_begins(
    client: firestore.Client, soul_id: str
) -> None:
    key = ThreadKey(uid=uuid4().hex, soul_id=soul_id)
    thread = client.document("users", key.uid, "threads", soul_id)
    thread.set({"created_at": firestore.SERVER_TIMESTAMP})
    said = {"role": "user", "text": "안녕!", "created_at": firestore.SERVER_TIMESTAMP}
    thread.collection("messages").document("m1").set(said)
    sources = FirestorePromptSources(client, window_messages=1_000)
    windows = [sources.read_prompt_sources(key).window for _ in range(2)]
    assert windows[0] is None
    assert windows[1] is not None
    assert [one.text for one in windows[1]] == ["안녕!"]
    thread.collection("slots").document("recent_context").set({"content": "- 안부."})
    thread.collection("state").document("memory").set({"generation": 1})
    found = sources.read_prompt_sources(key)
    assert found.window is None, "it may begin elsewhere now"
    assert found.slots["recent_context"].content == "- 안부."


@pytest.mark.parametrize(
    ("document", "body", "field"),
    [
        ("soul_default_persona", {"content": 3}, "content"),
        ("soul_default_persona", {"content": " \n"}, "content"),
        ("soul_default_persona", {"text": "조용하다."}, "content"),
        ("soul_messenger_bio", {"status": "자는 중"}, "display_name"),
        ("soul_messenger_bio", {"display_name": ["소희"]}, "display_name"),
        ("chat_initial_situation", {"content": {"ko": "레이스 다음 날"}}, "content"),
    ],
)
def test_a_misshapen_document_is_named_with_its_field(
    client: firestore.Client, soul_id: str, document: str, body: dict[str, object], field: str
) -> None:
    client.document("souls", soul_id, "slots", document).set(body)
    with pytest.raises(DocumentMisshapenError) as refused:
        FirestoreSouls(client).read_soul(soul_id)
    assert refused.value.path == f"souls/{soul_id}/slots/{document}"
    assert refused.value.field == field
    assert "조용하다" not in str(refused.value)


@pytest.mark.parametrize("document", ["soul_default_persona", "soul_messenger_bio"])
def test_a_missing_document_is_named(client: firestore.Client, soul_id: str, document: str) -> None:
    client.document("souls", soul_id, "slots", document).delete()
    with pytest.raises(DocumentNotFoundError) as refused:
        FirestoreSouls(client).read_soul(soul_id)
    assert refused.value.path == f"souls/{soul_id}/slots/{document}"


def test_plays_with_their_parts_in_order(client: firestore.Client) -> None:
    uid = uuid4().hex
    play = client.document("users", uid, "plays", "p1")
    play.set(
        {
            "episode_id": "e1",
            "episode_number": 1,
            "episode_title": "강변 레이스",
            "scene_count": 2,
            "character_appearances": {"sohee": 2},
            "last_played_at": firestore.SERVER_TIMESTAMP,
            "cleared_at": None,
        }
    )
    for name, index in (("a", 10), ("b", 2)):
        play.collection("summaries").document(name).set({"index": index, "text": f"{index}번"})
    plays = FirestorePlays(client)
    assert [one.play_id for one in plays.list_plays(uid)] == ["p1"]
    assert [one.text for one in plays.summaries(uid, "p1")] == ["2번", "10번"]
    assert plays.scenes(uid, "p1") == []
