"""Images and exports on the storage emulator, with storage.rules in force."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import requests

from functions.adapters import cloud_storage
from functions.adapters.cloud_storage import CloudStorage
from shared.leaving.leaving_ports import DeletedPage
from tests.storage_rules.rest import Storage

pytestmark = pytest.mark.storage

UID = "소라"
LASTING = timedelta(minutes=15)


@pytest.fixture
def bucket(storage_host: str) -> Storage:
    return Storage(storage_host)


@pytest.fixture
def files(bucket: Storage, monkeypatch: pytest.MonkeyPatch) -> CloudStorage:
    emulator = f"http://{bucket.host}"
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", emulator)

    def warn(reason: str) -> None:
        raise AssertionError(reason)

    return CloudStorage("demo-soul-memory", bucket=bucket.bucket, emulator=emulator, warn=warn)


def put(bucket: Storage, *paths: str) -> None:
    for path in paths:
        assert bucket.backend().upload(path) == "OK"


def left(bucket: Storage, *paths: str) -> list[str]:
    return [path for path in paths if bucket.backend().get(path) == "OK"]


def test_a_file_is_handed_out_by_its_address_and_to_no_client(
    bucket: Storage, files: CloudStorage
) -> None:
    path = f"exports/{UID}/20260528-{uuid4().hex}.json"
    text = '{"text":"현상소 갔어?"}'
    assert files.keep(path, iter([text[:9], text[9:]])) == len(text.encode())
    for client in (bucket.nobody(), bucket.user(UID), bucket.user("남"), bucket.user(None)):
        assert client.download(path) == client.get(path) == "REFUSED"
        assert client.list(f"exports/{UID}/") == "REFUSED"
    answer = requests.get(files.hand_out(path, lasting=LASTING), timeout=30)
    assert answer.content.decode() == text
    assert answer.headers["Content-Type"].startswith("application/json")


def test_nothing_is_kept_of_a_file_that_fails(bucket: Storage, files: CloudStorage) -> None:
    def failing() -> object:
        yield "{"
        raise ConnectionError

    path = f"exports/{UID}/half.json"
    with pytest.raises(ConnectionError):
        files.keep(path, failing())  # type: ignore[arg-type]
    assert left(bucket, path) == []


def test_all_of_one_user_goes_and_nothing_of_anothers(
    bucket: Storage, files: CloudStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cloud_storage, "PAGE", 2)
    mine = [f"users/{UID}/images/사진{number}.jpg" for number in range(3)]
    mine += [f"users/{UID}/whatever", f"exports/{UID}/a.json"]
    others = [f"users/{UID}2/images/사진.jpg", f"exports/{UID}2/a.json", f"users/{UID[0]}/images/b"]
    put(bucket, *mine, *others)
    pages: list[DeletedPage] = []
    while not pages or pages[-1].after is not None:
        pages.append(files.delete_page(UID, after=None))
    assert [page.count for page in pages] == [2, 2, 1]
    assert left(bucket, *mine, *others) == others
    assert files.delete_page(UID, after=None) == DeletedPage(count=0)


def test_old_exports_go_and_images_stay(bucket: Storage, files: CloudStorage) -> None:
    exports = [f"exports/u{number}/a.json" for number in range(3)]
    put(bucket, "users/u1/images/a.jpg", *exports)
    now = datetime.now(UTC)
    assert files.delete_old_exports(now - timedelta(days=1), limit=9) == 0
    assert files.delete_old_exports(now + timedelta(minutes=1), limit=2) == 2
    assert files.delete_old_exports(now + timedelta(minutes=1), limit=2) == 1
    assert left(bucket, "users/u1/images/a.jpg", *exports) == ["users/u1/images/a.jpg"]


def test_images_are_named_with_their_size(bucket: Storage, files: CloudStorage) -> None:
    put(bucket, f"users/{UID}/images/사진.jpg", f"users/{UID}2/images/b.jpg")
    (found,) = files.images(UID)
    assert (found.path, found.content_type, found.size_bytes) == (
        f"users/{UID}/images/사진.jpg",
        "image/jpeg",
        3,
    )
    assert abs(found.created_at - datetime.now(UTC)) < timedelta(hours=1)


def test_a_file_that_is_removed_is_gone(bucket: Storage, files: CloudStorage) -> None:
    path = f"exports/{UID}/a.json"
    put(bucket, path)
    files.remove(path)
    files.remove(path)
    assert left(bucket, path) == []
