"""One JSON file of everything that is a user's, small in the answer or large in a bucket."""

import json
import tracemalloc
from datetime import timedelta
from typing import Any

import pytest

from shared.errors import LimitReachedError, UserGoneError
from shared.exporting.export_document import Export, ExportedCycle
from shared.exporting.export_my_data import (
    INLINE_BYTES,
    DataExported,
    ExportMyData,
    export_my_data,
)
from shared.exporting.export_ports import BudgetDay, KeptFile
from shared.model.cycle import Consumed, Cycle, Failure, Output, PromptUsed
from shared.model.deletion import Deletion
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport
from shared.model.reply import LiveReply
from shared.model.slots import Slot, Slots
from shared.settings import Settings
from tests.factories import NOW, image_message, message, play
from tests.unit.exporting.kept import Archive, FakeExportFiles, FakeRecords
from tools.export_schema import SCHEMA, schema_text

UID = "소라"


def export(archive: Archive) -> DataExported:
    return export_my_data(ExportMyData(uid=UID), ports=archive.ports)


def entry(title: str, index: int) -> LorebookEntry:
    return LorebookEntry(
        title=title,
        keywords=("현상소",),
        occurred_at="2026-05-27 (수)",
        record="소희가 필름을 맡겼다.",
        cycle_id="000001",
        index=index,
        created_at=NOW,
        secrecy="soul-only",
    )


def cycle() -> Cycle:
    ends = {"first": message(0).ref, "last": message(3).ref, "window_start": message(2).ref}
    return Cycle(
        cycle_id="000001",
        kind="summary",
        status="applied",
        requested_at=NOW,
        applied_at=NOW + timedelta(seconds=9),
        attempts=2,
        lease_token="비밀 표",
        consumed=Consumed.model_validate({**ends, "count": 4, "tokens": 40}),
        output=Output(
            text="=== MEMORY === 모델의 말",
            prompt=PromptUsed(name="chat_summary", version="v5", sha256="프롬프트의 지문"),
            model_asked="m",
            model_answered="m-001",
            tokens_in=900,
            tokens_out=70,
            latency_ms=5,
        ),
        before=Slots(long_term_memory="- 앞선 기억"),
        after=Slots(long_term_memory="- 필름을 맡겼다."),
        failure=Failure(failure_class="format", reason="heading missing"),
    )


def full() -> Archive:
    slot = Slot(content="- [Messenger / DM / 필름] 필름을 맡겼다.", version=1, cycle_id="000001")
    reply = LiveReply(
        status="done", request_id="r1", generation_id="g1", requested_at=NOW, expires_at=NOW
    )
    loaded = LiveImport(status="imported", request_id="r2", requested_at=NOW)
    records = FakeRecords(
        said=[message(0, "현상소 갔어? \u2028📷"), message(1, '"응" \\ 갔지'), image_message(2)],
        kept_slots={"long_term_memory": slot},
        entries=[entry("현상소", 0)],
        withdrawn=[entry("물린 일", 1)],
        kept_cycles=[cycle()],
        live_documents={"reply": reply, "import": loaded},
        played=[play("p1")],
        days=[BudgetDay(day="2026-05-28", calls=1, tokens=970, replies=2, exports=1)],
        misshapen=["users/소라/threads/소희/messages/깨진"],
    )
    image = KeptFile(path="i/사진.jpg", content_type="image/jpeg", size_bytes=3, created_at=NOW)
    return Archive(records=records, files=FakeExportFiles(pictures=[image]))


def test_everything_is_in_it_and_reads_as_its_schema_says() -> None:
    archive = full()
    records = archive.records
    answer = export(archive)
    assert answer.url is None
    read = Export.model_validate_json(json.dumps(answer.export))
    (thread,) = read.threads
    assert (read.schema_version, read.uid, read.made_at) == (1, UID, NOW)
    assert (thread.soul_id, thread.created_at, thread.memory_status) == ("소희", NOW, "ready")
    assert list(thread.messages) == list(records.said)
    assert dict(thread.slots) == records.kept_slots
    assert list(thread.lorebook) == records.entries
    assert list(thread.withdrawn_entries) == records.withdrawn
    assert thread.live == records.live_documents
    assert [one.play for one in read.plays] == records.played
    assert read.plays[0].summaries[0].text == "p1: 둘은 강변을 달렸다."
    assert read.plays[0].scenes[0].text == "결승선이 보였다."
    assert list(read.budgets) == records.days
    assert list(read.images) == archive.files.pictures
    assert list(read.unreadable) == records.misshapen


def test_of_a_cycle_only_what_is_the_users_is_given() -> None:
    answer = export(full())
    assert answer.export is not None
    text = json.dumps(answer.export, ensure_ascii=False)
    for kept_back in ("비밀 표", "모델의 말", "프롬프트의 지문", "앞선 기억", "heading missing"):
        assert kept_back not in text
    (given,) = answer.export["threads"][0]["cycles"]
    assert ExportedCycle.model_validate(given) == ExportedCycle(
        cycle_id="000001",
        kind="summary",
        status="applied",
        requested_at=NOW,
        applied_at=NOW + timedelta(seconds=9),
        messages=4,
        tokens=40,
        first=message(0).ref,
        last=message(3).ref,
        after=Slots(long_term_memory="- 필름을 맡겼다."),
        attempts=2,
        failure="format",
        model="m-001",
        tokens_in=900,
        tokens_out=70,
    )


def test_of_nothing_an_export_is_made_too() -> None:
    answer = export(Archive())
    assert answer.export is not None
    assert Export.model_validate(answer.export).threads[0].messages == ()


def test_what_is_large_becomes_a_file_for_a_quarter_of_an_hour() -> None:
    said = [message(number, "가" * 1000) for number in range(400)]
    archive = Archive(records=FakeRecords(said=said))
    answer = export(archive)
    ((path, text),) = archive.files.kept.items()
    assert path == f"exports/{UID}/20260528T141400-nonce1.json"
    assert answer.export is None
    assert answer.size_bytes == len(text.encode()) > INLINE_BYTES
    assert (answer.url, answer.url_expires_at) == (
        f"https://storage.example/{path}?for=900",
        NOW + timedelta(minutes=15),
    )
    assert list(Export.model_validate_json(text).threads[0].messages) == said


def test_the_limit_of_what_is_answered_is_exact() -> None:
    def size_with(letters: int) -> DataExported:
        said = [message(number, "a" * 1000) for number in range(800)]
        return export(Archive(records=FakeRecords(said=[*said, message(800, "a" * letters)])))

    room = INLINE_BYTES - size_with(1).size_bytes
    fits = size_with(1 + room)
    assert (fits.size_bytes, fits.url) == (INLINE_BYTES, None)
    assert size_with(2 + room).url is not None


def test_memory_does_not_grow_with_the_chat() -> None:
    peaks = []
    for count in (10_000, 40_000):
        said = (message(number, "오늘 현상소 앞에서 비를 만났어") for number in range(count))
        archive = Archive(records=FakeRecords(said=said), files=FakeExportFiles(forgetful=True))
        tracemalloc.start()
        answer = export(archive)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert answer.size_bytes > count * 100
    assert peaks[1] < 1.2 * peaks[0]


def test_so_many_exports_a_day_and_then_no_more() -> None:
    archive = Archive(settings=Settings(exports_per_day=2))
    export(archive)
    export(archive)
    with pytest.raises(LimitReachedError, match="EXPORTS_PER_DAY"):
        export(archive)
    archive.clock.pass_time(24 * 3600)
    assert export(archive).export is not None
    assert archive.allowance.taken == {(UID, "2026-05-28"): 3, (UID, "2026-05-29"): 1}


def test_without_a_limit_there_is_none() -> None:
    archive = Archive(settings=Settings(exports_per_day=0))
    assert all(export(archive).export for _ in range(5))


def test_after_a_deletion_there_is_nothing_to_export() -> None:
    archive = Archive()
    archive.allowance.left.add(UID)
    with pytest.raises(UserGoneError):
        export(archive)


def test_a_deletion_that_begins_meanwhile_leaves_no_file() -> None:
    archive = Archive()

    def said() -> Any:
        for number in range(400):
            yield message(number, "가" * 1000)
        stone = Deletion(reason="asked", started_at=NOW, look_at=NOW)
        archive.deletions.begin(UID, stone)

    archive.records.said = said()
    with pytest.raises(UserGoneError):
        export(archive)
    assert archive.files.kept == {}


def test_the_schema_in_the_docs_is_that_of_the_models() -> None:
    """Otherwise: venv/bin/python -m tools.export_schema."""
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()
