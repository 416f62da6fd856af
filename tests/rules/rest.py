"""Acts on the Firestore emulator over REST as whoever a token says, under the rules."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias, assert_never
from uuid import uuid4

import requests

SERVER_TIME = "$server_time"
"""Stands in a document's data for what an SDK calls `serverTimestamp()`."""

Document: TypeAlias = Mapping[str, Any]
Status: TypeAlias = Literal["OK", "PERMISSION_DENIED", "ALREADY_EXISTS", "NOT_FOUND"]

_KNOWN: tuple[Status, ...] = ("PERMISSION_DENIED", "ALREADY_EXISTS", "NOT_FOUND")


@dataclass(frozen=True)
class Emulator:
    """One project of its own on a running emulator, so that no two runs collide."""

    host: str
    project: str = field(default_factory=lambda: f"demo-rules-{uuid4().hex[:12]}")
    session: requests.Session = field(default_factory=requests.Session)

    def load_rules(self, source: str) -> None:
        """Put rules in force; a syntax error in them fails here, and says where it stands."""
        file = {"name": "firestore.rules", "content": source}
        url = f"http://{self.host}/emulator/v1/projects/{self.project}:securityRules"
        response = self.session.put(url, json={"rules": {"files": [file]}}, timeout=30)
        assert response.ok, response.text

    def rule_coverage(self) -> list[dict[str, Any]]:
        """Every expression of the rules in force: where it stands, the values it has had."""
        url = f"http://{self.host}/emulator/v1/projects/{self.project}:ruleCoverage"
        response = self.session.get(url, timeout=30)
        response.raise_for_status()
        report: list[dict[str, Any]] = response.json()["report"]
        return report

    def document_name(self, path: str) -> str:
        return f"projects/{self.project}/databases/(default)/documents/{path}"

    def nobody(self) -> "Client":
        return Client(self, headers={})

    def user(self, uid: str | None, claims: Mapping[str, object] | None = None) -> "Client":
        """Somebody with a token; without a uid it names nobody, which no real one does."""
        token = unsigned_token(self.project, uid, claims or {})
        return Client(self, headers={"Authorization": f"Bearer {token}"})

    def backend(self) -> "Client":
        """The Admin SDK's way in, past the rules."""
        return Client(self, headers={"Authorization": "Bearer owner"})


@dataclass(frozen=True)
class Client:
    """One actor. Every operation answers the status that its SDK would see as an error code."""

    emulator: Emulator
    headers: Mapping[str, str]

    def get(self, path: str) -> Status:
        url = f"{self._base}/{path}"
        return _status(self.emulator.session.get(url, headers=self.headers, timeout=30))

    def list(self, collection: str, **query: Any) -> Status:
        """List a collection by path; `query` adds clauses of a StructuredQuery."""
        parent, _, collection_id = f"/{collection}".rpartition("/")
        return self._run_query(parent, {"from": [{"collectionId": collection_id}], **query})

    def list_group(self, collection_id: str) -> Status:
        """List every collection of this name in the database: a collection group query."""
        return self._run_query(
            "", {"from": [{"collectionId": collection_id, "allDescendants": True}]}
        )

    def count(self, collection: str) -> Status:
        parent, _, collection_id = f"/{collection}".rpartition("/")
        query = {
            "structuredQuery": {"from": [{"collectionId": collection_id}]},
            "aggregations": [{"alias": "n", "count": {}}],
        }
        return self._post(f"{parent}:runAggregationQuery", {"structuredAggregationQuery": query})

    def create(self, path: str, document: Document) -> Status:
        """What `addDoc` sends: a write that wants the document not to exist."""
        return self._commit(self._write(path, document) | {"currentDocument": {"exists": False}})

    def set(self, path: str, document: Document) -> Status:
        """What `setDoc` sends: a write without a precondition."""
        return self._commit(self._write(path, document))

    def update(self, path: str, changes: Document) -> Status:
        """What `updateDoc` sends: these fields of a document that exists, and no others."""
        write = self._write(path, changes)
        mask = [name for name, value in changes.items() if value != SERVER_TIME]
        write |= {"updateMask": {"fieldPaths": mask}, "currentDocument": {"exists": True}}
        return self._commit(write)

    def delete(self, path: str) -> Status:
        return self._commit({"delete": self.emulator.document_name(path)})

    @property
    def _base(self) -> str:
        return f"http://{self.emulator.host}/v1/{self.emulator.document_name('').rstrip('/')}"

    def _write(self, path: str, document: Document) -> dict[str, Any]:
        fields = {name: _encode(value) for name, value in document.items() if value != SERVER_TIME}
        transforms = [
            {"fieldPath": name, "setToServerValue": "REQUEST_TIME"}
            for name, value in document.items()
            if value == SERVER_TIME
        ]
        return {
            "update": {"name": self.emulator.document_name(path), "fields": fields},
            "updateTransforms": transforms,
        }

    def _commit(self, write: dict[str, Any]) -> Status:
        return self._post(":commit", {"writes": [write]})

    def _run_query(self, parent: str, query: dict[str, Any]) -> Status:
        return self._post(f"{parent}:runQuery", {"structuredQuery": query})

    def _post(self, suffix: str, body: dict[str, Any]) -> Status:
        url = f"{self._base}{suffix}"
        response = self.emulator.session.post(url, json=body, headers=self.headers, timeout=30)
        return _status(response)


@dataclass(frozen=True)
class Owner:
    """A signed-in user, and the path that all of theirs is under."""

    client: Client
    uid: str
    root: str


def _status(response: requests.Response) -> Status:
    """Read an answer. One that is neither yes nor a known no would make a test lie: it raises."""
    if response.ok:
        return "OK"
    body = response.json()
    error = (body[0] if isinstance(body, list) else body)["error"]
    for known in _KNOWN:
        if error["status"] == known:
            return known
    raise AssertionError(f"unexpected answer {response.status_code}: {error}")


def unsigned_token(project: str, uid: str | None, claims: Mapping[str, object]) -> str:
    payload = {
        "iss": f"https://securetoken.google.com/{project}",
        "aud": project,
        **({} if uid is None else {"sub": uid, "user_id": uid}),
        "iat": 0,
        "exp": 2**33,
        **claims,
    }
    return f"{_segment({'alg': 'none', 'typ': 'JWT'})}.{_segment(payload)}."


def _segment(part: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def _encode(
    value: bool | int | float | str | datetime | list[Any] | dict[str, Any] | None,
) -> dict[str, Any]:
    """Spell a value in the REST API's JSON, where its type is the key."""
    encoded: dict[str, Any]
    match value:
        case None:
            encoded = {"nullValue": None}
        case bool():
            encoded = {"booleanValue": value}
        case int():
            encoded = {"integerValue": str(value)}
        case float():
            encoded = {"doubleValue": value}
        case str():
            encoded = {"stringValue": value}
        case datetime():
            encoded = {"timestampValue": value.isoformat()}
        case list():
            encoded = {"arrayValue": {"values": [_encode(item) for item in value]}}
        case dict():
            encoded = {"mapValue": {"fields": {key: _encode(value[key]) for key in value}}}
        case _:
            assert_never(value)
    return encoded
