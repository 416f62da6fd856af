"""What the storage emulator cannot show: files in pieces, signed addresses, missing buckets."""

import base64
import gc
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import google_crc32c
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import TransportError
from google.cloud.storage import Client
from google.oauth2 import service_account

from functions.adapters.cloud_storage import CHUNK, CloudStorage, signed
from shared.errors import StorageUnusableError

ANONYMOUS: Any = AnonymousCredentials
BUCKET = "demo.firebasestorage.app"


class Service(BaseHTTPRequestHandler):
    """Cloud Storage's resumable upload: pieces of a known size, the last one ends it."""

    pieces: list[int]
    received: bytes
    is_deleted: bool
    has_bucket: bool
    begun: int

    def do_POST(self) -> None:
        type(self).begun += 1
        self.rfile.read(int(self.headers["Content-Length"]))
        if not type(self).has_bucket:
            self._answer(404, {"error": {"message": "The specified bucket does not exist."}})
            return
        where = f"http://{self.headers['Host']}/upload?upload_id=1"
        self._answer(200, {}, Location=where)

    def do_PUT(self) -> None:
        piece = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).pieces.append(len(piece))
        type(self).received += piece
        if self.headers["Content-Range"].endswith("/*"):
            self._answer(308, {}, Range=f"bytes=0-{len(type(self).received) - 1}")
        else:
            checksum = google_crc32c.value(type(self).received).to_bytes(4, "big")
            self._answer(200, {"name": "x", "crc32c": base64.b64encode(checksum).decode()})

    def do_DELETE(self) -> None:
        type(self).is_deleted = True
        self._answer(204, {})

    def do_GET(self) -> None:
        self._answer(404, {"error": {"message": "The specified bucket does not exist."}})

    def _answer(self, status: int, body: object, **headers: str) -> None:
        text = b"" if status == 204 else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(*, has_bucket: bool = True) -> Iterator[tuple[Any, CloudStorage, list[str]]]:
    """The service, the adapter on it, and what it warned of."""
    state = {"pieces": [], "received": b"", "is_deleted": False, "has_bucket": has_bucket}
    state["begun"] = 0
    handler: Any = type("OneService", (Service,), state)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    warned: list[str] = []
    storage = CloudStorage("demo", bucket=BUCKET, emulator="", warn=warned.append)
    storage.__dict__["_client"] = Client(
        project="demo",
        credentials=ANONYMOUS(),
        client_options={"api_endpoint": f"http://127.0.0.1:{server.server_port}"},
    )
    try:
        yield handler, storage, warned
    finally:
        server.shutdown()
        server.server_close()


def test_a_large_file_goes_up_in_pieces() -> None:
    with serving() as (service, storage, _):
        texts = ["가" * 1000 for _ in range(1500)]
        assert storage.keep("exports/소라/a.json", iter(texts)) == 4_500_000
    assert service.received.decode() == "".join(texts)
    assert max(service.pieces) == CHUNK
    assert len(service.pieces) == 5


def test_a_file_that_fails_midway_is_given_up() -> None:
    def failing() -> Iterator[str]:
        yield "가" * CHUNK
        raise ConnectionError

    with serving() as (service, storage, _), pytest.raises(ConnectionError):
        storage.keep("exports/소라/a.json", failing())
    assert service.is_deleted


def test_a_file_that_was_refused_is_not_sent_again_when_it_is_forgotten() -> None:
    with serving(has_bucket=False) as (service, storage, _):
        with pytest.raises(StorageUnusableError):
            storage.keep("exports/소라/a.json", ["{}"])
        gc.collect()
        assert service.begun == 1


def test_without_a_bucket_a_file_is_refused_with_what_to_do() -> None:
    with (
        serving(has_bucket=False) as (_, storage, _),
        pytest.raises(StorageUnusableError, match="IMAGE_BUCKET"),
    ):
        storage.keep("exports/소라/a.json", ["{}"])


def test_without_a_bucket_there_is_nothing_to_delete_and_operators_are_told() -> None:
    with serving(has_bucket=False) as (_, storage, warned):
        assert storage.delete_page("소라", after=None).count == 0
        assert storage.delete_old_exports(datetime.now(UTC), limit=9) == 0
    assert set(warned) == {f"the bucket {BUCKET} does not exist: set IMAGE_BUCKET"}


def test_an_address_is_signed_for_a_quarter_of_an_hour() -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    account = {
        "client_email": "functions@demo.example",
        "private_key": pem,
        "token_uri": "https://token.example",
    }
    credentials: Any = service_account.Credentials
    client = Client(project="demo", credentials=ANONYMOUS())
    blob = client.bucket(BUCKET).blob("exports/소라/a.json")
    url = urlsplit(
        signed(blob, timedelta(minutes=15), credentials.from_service_account_info(account))
    )
    query = parse_qs(url.query)
    assert url.path.endswith("/exports/%EC%86%8C%EB%9D%BC/a.json")
    assert query["X-Goog-Expires"] == ["900"]
    assert query["X-Goog-Algorithm"] == ["GOOG4-RSA-SHA256"]
    assert query["X-Goog-Credential"][0].startswith("functions@demo.example/")
    assert query["response-content-disposition"] == ['attachment; filename="soul-memory.json"']


def test_credentials_that_may_not_sign_are_told_which_role_they_need() -> None:
    class Unable:
        """Credentials of a function, as the metadata server gives them."""

        service_account_email = "functions@demo.example"
        token = "t"

        def refresh(self, request: object) -> None:
            raise TransportError("403")  # type: ignore[no-untyped-call]

    client = Client(project="demo", credentials=ANONYMOUS())
    with pytest.raises(StorageUnusableError, match="serviceAccountTokenCreator"):
        signed(client.bucket(BUCKET).blob("a"), timedelta(minutes=15), Unable())
