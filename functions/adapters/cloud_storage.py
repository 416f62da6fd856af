"""The `UserFiles` and `ExportFiles` ports: Cloud Storage, past the rules that clients live by."""

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from shared.errors import RetryLaterError, StorageUnusableError
from shared.exporting.export_ports import KeptFile
from shared.leaving.leaving_ports import DeletedPage

if TYPE_CHECKING:
    from google.cloud.storage import Blob, Client

SECONDS = 20.0
PAGE = 100
CHUNK = 2**20  # what is held in memory of a file that is written
EMULATED_CHUNK = 2**27  # the emulator takes a file in one piece only
CONTENT_TYPE = "application/json"
Warn = Callable[[str], None]


class CloudStorage:
    """`users/{uid}/…` and `exports/{uid}/…` of one bucket.

    On the emulator a signed address cannot be verified: there a file is handed out by the
    emulator's own download token, which does not expire.
    """

    def __init__(self, project: str, *, bucket: str, emulator: str, warn: Warn) -> None:
        """`emulator` is its address (empty: none); `warn` tells operators of a missing bucket."""
        self._project = project
        self._bucket = bucket
        self._emulator = emulator
        self._warn = warn

    def delete_page(self, uid: str, *, after: str | None) -> DeletedPage:  # noqa: ARG002
        """What was deleted is no longer listed, so each page is the first."""
        count = 0
        for folder in ("users", "exports"):
            found = list(islice(self._list(f"{folder}/{uid}/"), PAGE - count))
            count += self._delete(found)
            if count == PAGE:
                return DeletedPage(count=count, after=folder)
        return DeletedPage(count=count)

    def delete_old_exports(self, before: datetime, *, limit: int) -> int:
        old = (one for one in self._list("exports/") if one.time_created < before)
        return self._delete(list(islice(old, limit)))

    def keep(self, path: str, texts: Iterable[str]) -> int:
        """Write a file piece by piece; its size in bytes. Nothing is kept of one that fails."""
        from google.cloud.exceptions import NotFound
        from google.cloud.storage.exceptions import InvalidResponse

        blob = self._client.bucket(self._bucket).blob(path)
        if self._emulator:
            blob.metadata = {"firebaseStorageDownloadTokens": secrets.token_urlsafe(24)}
        chunk = EMULATED_CHUNK if self._emulator else CHUNK
        file = blob.open("wb", chunk_size=chunk, content_type=CONTENT_TYPE, timeout=SECONDS)
        size = 0
        try:
            with file:
                for text in texts:
                    size += file.write(text.encode())
        except NotFound as error:
            raise StorageUnusableError(_NO_BUCKET.format(self._bucket)) from error
        except InvalidResponse as error:
            if error.response.status_code == 404:
                raise StorageUnusableError(_NO_BUCKET.format(self._bucket)) from error
            raise RetryLaterError("the file was not taken") from error
        finally:
            # One whose end was refused is open still, and would be sent again once it is forgotten.
            if not file.closed:
                file.terminate()
        return size

    def hand_out(self, path: str, *, lasting: timedelta) -> str:
        blob = self._client.bucket(self._bucket).blob(path)
        if self._emulator:
            blob.reload(timeout=SECONDS)
            token = (blob.metadata or {})["firebaseStorageDownloadTokens"]
            where = f"{self._emulator}/v0/b/{self._bucket}/o/{quote(path, safe='')}"
            return f"{where}?alt=media&token={token}"
        return signed(blob, lasting)

    def remove(self, path: str) -> None:
        from google.cloud.exceptions import NotFound

        try:
            self._client.bucket(self._bucket).delete_blob(path, timeout=SECONDS)
        except NotFound:
            return

    def images(self, uid: str) -> Iterable[KeptFile]:
        for one in self._list(f"users/{uid}/images/", versions=False):
            yield KeptFile(
                path=one.name,
                content_type=one.content_type or "",
                size_bytes=one.size or 0,
                created_at=one.time_created,
            )

    @cached_property
    def _client(self) -> "Client":
        """Opened on first use. It finds the emulator by the variable that names it."""
        from google.cloud.storage import Client

        return Client(project=self._project or None)

    def _list(self, prefix: str, *, versions: bool = True) -> "Iterable[Blob]":
        """Older versions of a file as well, where the bucket keeps them; none without a bucket."""
        from google.cloud.exceptions import NotFound

        try:
            yield from self._client.list_blobs(
                self._bucket, prefix=prefix, versions=versions, timeout=SECONDS
            )
        except NotFound:
            self._warn(_NO_BUCKET.format(self._bucket))

    def _delete(self, blobs: "list[Blob]") -> int:
        """Each by its version, so that no copy stays behind; one that is gone counts too."""
        from google.cloud.exceptions import NotFound

        for blob in blobs:
            try:
                blob.delete(timeout=SECONDS)
            except NotFound:
                continue
        return len(blobs)


_NO_BUCKET = "the bucket {} does not exist: set IMAGE_BUCKET"
_NO_ROLE = (
    "an address cannot be signed: the functions' service account needs"
    " roles/iam.serviceAccountTokenCreator on itself"
)


def signed(blob: "Blob", lasting: timedelta, credentials: Any = None) -> str:
    """A V4 signed address. Credentials without a key of their own have IAM sign for them."""
    import google.auth
    from google.auth.exceptions import GoogleAuthError
    from google.auth.transport.requests import Request

    if credentials is None:
        credentials = google.auth.default()[0]
    signer: dict[str, Any] = {"credentials": credentials}
    try:
        if not hasattr(credentials, "signer_email"):
            credentials.refresh(Request())
            signer = {
                "service_account_email": credentials.service_account_email,
                "access_token": credentials.token,
            }
        return str(
            blob.generate_signed_url(
                version="v4",
                expiration=lasting,
                method="GET",
                response_disposition='attachment; filename="soul-memory.json"',
                **signer,
            )
        )
    except GoogleAuthError as error:
        raise StorageUnusableError(_NO_ROLE) from error
