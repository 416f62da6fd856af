"""functions-framework itself on main.py, as the cloud runs it: one trigger, one callable."""

import base64
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
import requests
from google.cloud import firestore
from google.events.cloud.firestore import DocumentEventData

from tests.factories import NOW
from tools.processes import Program, free_port, is_answering

pytestmark = pytest.mark.firestore

ROOT = Path(__file__).parents[2]
PROJECT = "demo-soul-memory"


@contextmanager
def serving(
    target: str, signature: str, firestore_host: str, folder: Path, *, project: str = PROJECT
) -> Iterator[str]:
    """One deployed function behind functions-framework."""
    port = free_port()
    command = [sys.executable, "-m", "functions_framework", "--target", target]
    command += ["--signature-type", signature, "--source", str(ROOT / "main.py")]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    env = {
        "FIRESTORE_EMULATOR_HOST": firestore_host,
        "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:1",
        "GCLOUD_PROJECT": project,
        "GOOGLE_CLOUD_PROJECT": project,
        "FUNCTIONS_EMULATOR": "true",
        "PATH": str(Path(sys.executable).parent),
    }
    program = Program(command, folder=ROOT, log=folder / f"{target}.log", env=env)
    try:
        program.wait_until(lambda: is_answering(port), seconds=60)
        yield f"http://127.0.0.1:{port}"
    finally:
        program.stop(seconds=10)


def id_token(uid: str, **custom: object) -> str:
    """What the Auth emulator signs with nothing."""
    now = int(time.time())
    claims = {
        "sub": uid,
        "user_id": uid,
        "aud": PROJECT,
        "iss": f"https://securetoken.google.com/{PROJECT}",
        "iat": now,
        "auth_time": now,
        "exp": now + 3600,
        **custom,
    }
    parts = [{"alg": "none", "typ": "JWT"}, claims]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts]
    return ".".join(part.rstrip("=") for part in encoded) + "."


def test_a_trigger_counts_a_message(
    client: firestore.Client, firestore_host: str, tmp_path: Path
) -> None:
    uid = uuid4().hex
    path = f"users/{uid}/threads/sohee/messages/m1"
    body = {"role": "user", "text": "오늘 필름 맡겼어", "created_at": NOW}
    written = client.document(path).set(body).update_time
    name = f"projects/{PROJECT}/databases/(default)/documents/{path}"
    event = DocumentEventData(
        {
            "value": {
                "name": name,
                "create_time": written,
                "update_time": written,
                "fields": {
                    "role": {"string_value": "user"},
                    "text": {"string_value": body["text"]},
                    "created_at": {"timestamp_value": NOW},
                },
            }
        }
    )
    headers = {
        "ce-id": uuid4().hex,
        "ce-specversion": "1.0",
        "ce-type": "google.cloud.firestore.document.v1.created",
        "ce-source": f"//firestore.googleapis.com/projects/{PROJECT}/databases/(default)",
        "ce-subject": f"documents/{path}",
        "ce-time": "2026-05-28T14:14:00.000000Z",
        "ce-datacontenttype": "application/protobuf",
        "ce-document": path,
        "ce-database": "(default)",
        "ce-namespace": "(default)",
        "ce-project": PROJECT,
        "ce-location": "asia-northeast3",
        "Content-Type": "application/protobuf",
    }
    with serving("on_message_created", "cloudevent", firestore_host, tmp_path) as url:
        for _ in range(2):
            answer = requests.post(
                url, data=DocumentEventData.serialize(event), headers=headers, timeout=30
            )
            assert answer.status_code == 200, answer.text
    counter = client.document(f"users/{uid}/threads/sohee/state/counter").get().to_dict()
    assert counter is not None
    assert counter["pending_messages"] == 1
    marked = client.document(path).get().to_dict()
    assert marked is not None
    assert marked["token_count"] == counter["pending_tokens"] > 0


def test_a_callable_verifies_its_caller_and_composes(
    client: firestore.Client, firestore_host: str, tmp_path: Path
) -> None:
    uid, soul_id = uuid4().hex, uuid4().hex
    soul = client.document("souls", soul_id)
    soul.set({"character_ids": ["sohee"]})
    soul.collection("slots").document("soul_messenger_bio").set({"display_name": "소희"})
    soul.collection("slots").document("soul_default_persona").set({"content": "조용하다."})
    client.document("users", uid, "threads", soul_id).set(
        {"created_at": NOW, "memory_status": "empty"}
    )
    with serving("compose_prompt", "http", firestore_host, tmp_path) as url:

        def call(data: object, token: str | None) -> requests.Response:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return requests.post(url, json={"data": data}, headers=headers, timeout=30)

        nobody = call({"soul_id": soul_id}, None)
        assert (nobody.status_code, nobody.json()["error"]["status"]) == (401, "UNAUTHENTICATED")
        forged = call({"soul_id": soul_id}, "not.a.token")
        assert forged.json()["error"]["status"] == "UNAUTHENTICATED"
        owner = call({"soul_id": soul_id}, id_token(uid)).json()["result"]
        assert "- display_name: 소희" in owner["system_instruction"]
        unknown = call({"soul_id": "nobody"}, id_token(uid)).json()["error"]
        assert unknown == {"status": "NOT_FOUND", "message": "souls/nobody does not exist"}
        illegal = call({"soul_id": "a/b"}, id_token(uid)).json()["error"]
        assert illegal["status"] == "INVALID_ARGUMENT"
        assert illegal["message"] == "soul_id: must not contain a slash"
