"""A thread's memory as one JSON document, for support.

The seam: `memory_document` makes the document, `write_private` puts it where only its owner
reads it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tools.memory.connection import NotDoneError
from tools.memory.reading import KeptThread

_OWNER_ONLY = 0o600


def memory_document(kept: KeptThread) -> dict[str, Any]:
    """Slots, entries and cycles of one thread, and where its memory stands; times are ISO 8601."""
    record = kept.record
    return {
        "uid": kept.key.uid,
        "soul_id": kept.key.soul_id,
        "thread": kept.thread.model_dump(mode="json"),
        "state": record.state.model_dump(mode="json"),
        "counter": record.counter.model_dump(mode="json"),
        "slots": {name: slot.model_dump(mode="json") for name, slot in record.slots.items()},
        "lorebook": {one.entry_id: one.model_dump(mode="json") for one in record.lorebook},
        "withdrawn_entries": {one.entry_id: one.model_dump(mode="json") for one in kept.withdrawn},
        "cycles": {one.cycle_id: one.model_dump(mode="json") for one in reversed(kept.cycles)},
    }


def as_json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def write_private(path: Path, text: str, *, replace: bool) -> None:
    """Write a file that others cannot read. Raises NotDoneError where it may not be written."""
    how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replace else os.O_EXCL)
    try:
        with os.fdopen(os.open(path, how, _OWNER_ONLY), "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), _OWNER_ONLY)
            file.write(text)
    except FileExistsError:
        raise NotDoneError(f"{path} exists: name another file, or pass --force") from None
    except OSError as error:
        raise NotDoneError(f"{path} cannot be written: {error.strerror}") from None
