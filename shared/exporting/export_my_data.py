"""Give a user everything that is kept of them, as one JSON file."""

import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from typing import Any

from pydantic import AwareDatetime

from shared.errors import LimitReachedError, UserGoneError
from shared.exporting.export_ports import ExportPorts
from shared.exporting.writing import export_texts
from shared.local_time import date, zone
from shared.model.base import Frozen
from shared.model.ids import DocumentId

INLINE_BYTES = 2**20
LASTING = timedelta(minutes=15)


class ExportMyData(Frozen):
    """Export this user's data."""

    uid: DocumentId


class DataExported(Frozen):
    """The export itself where it is small, or the address of its file.

    The address opens the file to whoever has it, until `url_expires_at`.
    """

    made_at: AwareDatetime
    size_bytes: int
    export: dict[str, Any] | None = None
    url: str | None = None
    url_expires_at: AwareDatetime | None = None


def export_my_data(command: ExportMyData, *, ports: ExportPorts) -> DataExported:
    """Read all, and answer it within 1 MiB, or write a file that no client may read by the rules.

    Memory does not grow with what is kept. Raises LimitReachedError, UserGoneError after a
    deletion, and StorageUnusableError where a file is needed and cannot be had.
    """
    uid, now, settings = command.uid, ports.clock.now(), ports.settings
    asked = ports.allowance.take(uid, date(now, zone(settings.budget_time_zone)))
    if settings.exports_per_day and asked > settings.exports_per_day:
        raise LimitReachedError("EXPORTS_PER_DAY")
    texts = export_texts(uid, now, records=ports.records, files=ports.files)
    head, size = _up_to(INLINE_BYTES, texts)
    if size <= INLINE_BYTES:
        return DataExported(made_at=now, size_bytes=size, export=json.loads("".join(head)))
    path = f"exports/{uid}/{now:%Y%m%dT%H%M%S}-{ports.chance.token()}.json"
    size = ports.files.keep(path, chain(head, texts))
    if ports.deletions.read(uid) is not None:  # one that began meanwhile may have looked before
        ports.files.remove(path)
        raise UserGoneError
    return DataExported(
        made_at=now,
        size_bytes=size,
        url=ports.files.hand_out(path, lasting=LASTING),
        url_expires_at=ports.clock.now() + LASTING,
    )


def _up_to(limit: int, texts: Iterator[str]) -> tuple[list[str], int]:
    """The first texts, until they are more bytes than `limit` or all, and how many bytes."""
    head: list[str] = []
    size = 0
    for text in texts:
        head.append(text)
        size += len(text.encode())
        if size > limit:
            break
    return head, size
