"""The threads that a developer's command works on: one that is named, or everybody's."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import ValidationError

from functions.adapters.firestore.timeouts import bounded
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client

READ_SECONDS = 600.0


def add_thread_arguments(parser: argparse.ArgumentParser) -> None:
    """`[UID SOUL]`."""
    parser.add_argument("uid", nargs="?", default="")
    parser.add_argument("soul_id", nargs="?", default="")


def named_threads(client: Client, uid: str, soul_id: str) -> Iterator[ThreadKey]:
    """The one thread, or every thread where none is named. Raises SystemExit for a bad id."""
    if uid or soul_id:
        try:
            yield ThreadKey(uid=uid, soul_id=soul_id)
        except ValidationError as error:
            field = error.errors(include_input=False, include_url=False)[0]["loc"][0]
            print(f"{field} is no legal document id", file=sys.stderr)
            raise SystemExit(2) from None
        return
    threads = client.collection_group("threads").select([])
    for found in threads.stream(**bounded(READ_SECONDS)):
        _, uid, _, soul_id = found.reference.path.split("/")
        yield ThreadKey(uid=uid, soul_id=soul_id)
