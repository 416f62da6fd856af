"""A picture in a chat: attached, uploaded, seen in its bubble, and named in the prompt."""

import struct
import zlib
from pathlib import Path

import pytest
from google.cloud import firestore

from tests.storage_rules.rest import Storage
from tests.web.browser import Browser
from tests.web.visiting import LEAST_ACCESSIBILITY, sign_in_and_open
from tools.emulators import Suite
from tools.thread_report import admin_client
from tools.toolchain import ROOT

pytestmark = [pytest.mark.web, pytest.mark.storage]

WIDTH, HEIGHT = 40, 30
MOST_BYTES = 5 * 1024 * 1024
RULES = ROOT / "storage.rules"
NOTHING_ALLOWED = """rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o { match /{path=**} { allow get: if false; } }
}
"""
SHOWN = ".row.user .picture img"
DRAWN = f"""(one => one.decode().then(() => [one.naturalWidth, one.naturalHeight]))(
    document.querySelector("{SHOWN}"))"""


def png(width: int, height: int) -> bytes:
    """A picture of one colour."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    rows = (b"\x00" + b"\x2f\x4f\x6b" * width) * height
    chunks = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.fixture
def storage(chromium: str, suite: Suite) -> Storage:
    if "storage" not in suite.hosts:
        pytest.skip("no program for storage.rules: the suite runs without storage")
    return Storage(suite.hosts["storage"])


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    file = tmp_path / "강변 사진.png"
    file.write_bytes(png(WIDTH, HEIGHT))
    return file


def test_a_picture_is_sent_seen_and_in_the_prompt(
    storage: Storage, browser: Browser, photo: Path, suite: Suite
) -> None:
    sign_in_and_open(browser, "newcomer", "mara_quill")
    browser.wait(".memory[data-status=empty]")
    what_cannot_be_sent_is_refused(browser, photo.parent)
    what_does_not_arrive_can_be_sent_again(browser, photo, storage)

    assert browser.count(".attached") == 0
    assert browser.evaluate(DRAWN) == [WIDTH, HEIGHT]
    assert browser.attribute(SHOWN, "alt") == "사진, 새 탭에서 크게 보기"
    assert browser.texts(".row.user .bubble") == ["여기 어디게?"]
    browser.wait(".row.soul .bubble")

    browser.click("#tab-prompt")
    browser.wait("[data-group=B] >> text=/\\] \\(이미지\\)$/")
    browser.wait("[data-group=B] code >> text=/^gs:.*users.newcomer.images.*png$/")

    a_picture_that_is_not_there_says_so(browser, suite)
    score, wrong = browser.accessibility()
    assert score >= LEAST_ACCESSIBILITY, wrong


def what_cannot_be_sent_is_refused(browser: Browser, folder: Path) -> None:
    (folder / "memo.txt").write_text("사진이 아니다", encoding="utf-8")
    (folder / "big.png").write_bytes(png(1, 1).ljust(MOST_BYTES + 1, b"\x00"))
    browser.attach("#image", folder / "memo.txt")
    browser.wait(".attached[role=alert] >> text=JPEG")
    browser.attach("#image", folder / "big.png")
    browser.wait(".attached[role=alert] >> text=5MB")


def what_does_not_arrive_can_be_sent_again(browser: Browser, photo: Path, storage: Storage) -> None:
    browser.attach("#image", photo)
    browser.wait(".attached[data-status=ready] >> text=강변 사진.png")
    browser.fill("#message", "여기 어디게?")
    storage.load_rules(NOTHING_ALLOWED)
    browser.press("Enter")
    browser.wait(".attached[data-status=failed] .bad")
    assert browser.count(".row.user") == 0

    storage.load_rules(RULES.read_text(encoding="utf-8"))
    browser.press("Enter")
    browser.wait(SHOWN)


def a_picture_that_is_not_there_says_so(browser: Browser, suite: Suite) -> None:
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    image = {"path": "users/newcomer/images/gone.jpg", "content_type": "image/jpeg"}
    message = {"role": "user", "text": "", "image": image}
    client.collection("users/newcomer/threads/mara_quill/messages").add(
        {**message, "created_at": firestore.SERVER_TIMESTAMP}
    )
    browser.wait(".picture[data-status=failed] button")
