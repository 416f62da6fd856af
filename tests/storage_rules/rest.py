"""Acts on the storage emulator over REST as whoever a token says, under the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import quote
from uuid import uuid4

import requests

from tests.rules.rest import unsigned_token

Status: TypeAlias = Literal["OK", "REFUSED", "NOT_FOUND"]
_STATUSES: dict[int, Status] = {200: "OK", 204: "OK", 403: "REFUSED", 404: "NOT_FOUND"}
_PROJECT = "demo-soul-memory"


@dataclass(frozen=True)
class Storage:
    """A bucket of its own on a running emulator."""

    host: str
    bucket: str = field(default_factory=lambda: f"bucket-{uuid4().hex}")
    session: requests.Session = field(default_factory=requests.Session)

    def load_rules(self, source: str) -> None:
        """Put rules in force, in every bucket; ones that do not compile fail here."""
        rules = {"files": [{"name": "storage.rules", "content": source}]}
        url = f"http://{self.host}/internal/setRules"
        response = self.session.put(url, json={"rules": rules}, timeout=30)
        assert response.ok, response.text

    def nobody(self) -> "Client":
        return Client(self, {})

    def user(self, uid: str | None, claims: Mapping[str, object] | None = None) -> "Client":
        """Somebody with a token; without a uid it names nobody, which no real one does."""
        token = unsigned_token(_PROJECT, uid, claims or {})
        return Client(self, {"Authorization": f"Firebase {token}"})

    def backend(self) -> "Client":
        """The Admin SDK's way in, past the rules."""
        return Client(self, {"Authorization": "Bearer owner"})


@dataclass(frozen=True)
class Client:
    """One actor. Every operation answers what its SDK would tell."""

    storage: Storage
    headers: Mapping[str, str]

    def upload(self, path: str, content_type: str = "image/jpeg", size: int = 3) -> Status:
        headers = {"Content-Type": content_type}
        return self._ask("POST", "", params={"name": path}, data=b"x" * size, headers=headers)

    def get(self, path: str) -> Status:
        return self._ask("GET", path)

    def download(self, path: str) -> Status:
        return self._ask("GET", path, params={"alt": "media"})

    def update(self, path: str) -> Status:
        return self._ask("PATCH", path, json={"contentLanguage": "ko"})

    def delete(self, path: str) -> Status:
        return self._ask("DELETE", path)

    def list(self, prefix: str) -> Status:
        return self._ask("GET", "", params={"prefix": prefix, "delimiter": "/"})

    def _ask(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        data: bytes | None = None,
        json: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Status:
        """An answer that is neither yes nor a known no would make a test lie: it raises."""
        url = f"http://{self.storage.host}/v0/b/{self.storage.bucket}/o"
        response = self.storage.session.request(
            method,
            f"{url}/{quote(path, safe='')}" if path else url,
            params=dict(params or {}),
            data=data,
            json=json,
            headers={**self.headers, **(headers or {})},
            timeout=30,
        )
        assert response.status_code in _STATUSES, f"{response.status_code}: {response.text}"
        return _STATUSES[response.status_code]
