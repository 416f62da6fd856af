"""An export as text, piece by piece: no more of it is in memory than a page of documents."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from pydantic import BaseModel

from shared.exporting.export_document import SCHEMA_VERSION, exported_cycle
from shared.exporting.export_ports import Amiss, ExportFiles, UserRecords
from shared.model.play import Play
from shared.model.thread import ThreadKey

Texts = Iterator[str]


def export_texts(
    uid: str, made_at: datetime, *, records: UserRecords, files: ExportFiles
) -> Iterator[str]:
    """The texts that together are an `Export`, in JSON. Documents are read as they are reached."""
    unreadable: list[str] = []  # written last, when it is known
    amiss = unreadable.append
    souls = (ThreadKey(uid=uid, soul_id=soul_id) for soul_id in records.soul_ids(uid))
    return _object(
        ("schema_version", _value(SCHEMA_VERSION)),
        ("uid", _value(uid)),
        ("made_at", _value(made_at.isoformat())),
        ("threads", _array(_thread(key, records, amiss) for key in souls)),
        ("plays", _array(_play(uid, one, records, amiss) for one in records.plays(uid, amiss))),
        ("budgets", _models(records.budgets(uid, amiss))),
        ("images", _models(files.images(uid))),
        ("unreadable", _value(unreadable)),
    )


def _thread(key: ThreadKey, records: UserRecords, amiss: Amiss) -> Texts:
    thread = records.thread(key, amiss)
    created_at = thread.created_at
    return _object(
        ("soul_id", _value(key.soul_id)),
        *((("created_at", _value(created_at.isoformat())),) if created_at else ()),
        ("memory_status", _value(thread.memory_status)),
        ("messages", _models(records.messages(key, amiss))),
        (
            "slots",
            _map(records.slots(key, amiss).items()),
        ),
        ("lorebook", _models(records.lorebook(key, amiss))),
        ("withdrawn_entries", _models(records.withdrawn_entries(key, amiss))),
        ("cycles", _models(map(exported_cycle, records.cycles(key, amiss)))),
        ("live", _map(records.live(key, amiss).items())),
    )


def _play(uid: str, play: Play, records: UserRecords, amiss: Amiss) -> Texts:
    return _object(
        ("play", _model(play)),
        ("summaries", _models(records.summaries(uid, play.play_id, amiss))),
        ("scenes", _models(records.scenes(uid, play.play_id, amiss))),
    )


def _object(*fields: tuple[str, Texts]) -> Texts:
    yield "{"
    for number, (name, texts) in enumerate(fields):
        yield f"{',' if number else ''}{json.dumps(name)}:"
        yield from texts
    yield "}"


def _array(items: Iterable[Texts]) -> Texts:
    yield "["
    for number, texts in enumerate(items):
        if number:
            yield ",\n"
        yield from texts
    yield "]"


def _map(items: Iterable[tuple[str, BaseModel]]) -> Texts:
    return _object(*((name, _model(item)) for name, item in items))


def _models(items: Iterable[BaseModel]) -> Texts:
    return _array(map(_model, items))


def _model(item: BaseModel) -> Texts:
    yield item.model_dump_json(exclude_none=True)


def _value(value: object) -> Texts:
    yield json.dumps(value, ensure_ascii=False)
