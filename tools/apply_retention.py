"""Give older messages their expiry (`make apply-retention DAYS=90`, for one thread with UID, SOUL).

MESSAGE_RETENTION_DAYS marks what is counted from then on; this marks what was counted before, and
moves the expiry of what was marked by another number of days. Nothing expires sooner than two
weeks from now, so memory has its time, and the sweep asks for the cycles that are wanted. Works on
the project that the environment names, or on the emulators where FIRESTORE_EMULATOR_HOST leads to
them. One read a message, and one write for each that changes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import bounded
from tools.threads import READ_SECONDS, add_thread_arguments, named_threads

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference

    from shared.model.thread import ThreadKey

LEAST_DAYS = 14


def main(arguments: Sequence[str] | None = None) -> int:
    """Mark, and say how many; 2 for days that the setting would not take."""
    from google.cloud import firestore

    parser = argparse.ArgumentParser(prog="apply-retention", description=__doc__)
    parser.add_argument("days", type=int)
    add_thread_arguments(parser)
    given = parser.parse_args(arguments)
    if given.days < LEAST_DAYS:
        print(f"apply-retention: DAYS must be {LEAST_DAYS} or more", file=sys.stderr)
        return 2
    client = firestore.Client()
    marked = sum(
        apply_retention(client, key, given.days, now=datetime.now(UTC))
        for key in named_threads(client, given.uid, given.soul_id)
    )
    print(f"apply-retention: {marked} messages have a new expiry")
    return 0


def apply_retention(client: Client, key: ThreadKey, days: int, *, now: datetime) -> int:
    """How many of the thread's counted messages changed. A message that goes meanwhile is let go.

    Earlier versions did not note since when a message has been pending: the sweep is made to look.
    """
    from google.api_core.exceptions import NotFound

    marked = 0
    for message, expires_at in _changes(client, key, days, now):
        try:
            message.update({"expires_at": expires_at}, **bounded(READ_SECONDS))
        except NotFound:
            continue
        marked += 1
    with suppress(NotFound):  # a thread without a counter has nothing pending
        Paths(client).counter(key).update({"pending_since": 0}, **bounded(READ_SECONDS))
    return marked


def _changes(
    client: Client, key: ThreadKey, days: int, now: datetime
) -> Iterator[tuple[DocumentReference, datetime]]:
    soonest = now + timedelta(days=LEAST_DAYS)
    fields: Any = ["created_at", "token_count", "expires_at"]
    for found in Paths(client).messages(key).select(fields).stream(**bounded(READ_SECONDS)):
        body = found.to_dict() or {}
        if "token_count" not in body:
            continue
        wanted = body["created_at"] + timedelta(days=days)
        had = body.get("expires_at")
        if had is None or abs(had - wanted) > timedelta(days=1):
            yield found.reference, max(wanted, soonest)


if __name__ == "__main__":
    sys.exit(main())
