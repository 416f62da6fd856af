"""Set counters to what is really pending (`make recount`, `make recount UID=… SOUL=…`).

For after a restore of some collections, or an import: a backup of the whole database needs none.
Works on the project that the environment names, or on the emulators where FIRESTORE_EMULATOR_HOST
leads to them; without a thread named, on all. Messages that nobody has counted are left to the
sweep.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import bounded
from tools.threads import READ_SECONDS, add_thread_arguments, named_threads

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference

    from shared.model.thread import ThreadKey

TRIES = 5
FIELDS = ("pending_messages", "pending_tokens", "pending_since")


def main(arguments: Sequence[str] | None = None) -> int:
    """Recount and say what was wrong; 1 where a counter moved all the time."""
    from google.cloud import firestore

    parser = argparse.ArgumentParser(prog="recount", description=__doc__)
    add_thread_arguments(parser)
    given = parser.parse_args(arguments)
    client = firestore.Client()
    looked, wrong, moving = 0, 0, 0
    for key in named_threads(client, given.uid, given.soul_id):
        looked += 1
        outcome = recount(client, key)
        wrong += outcome is True
        moving += outcome is None
    print(f"recount: {looked} threads, {wrong} counters were wrong and are right")
    if moving:
        print(f"recount: {moving} moved meanwhile; run it again", file=sys.stderr)
    return 1 if moving else 0


def recount(client: Client, key: ThreadKey) -> bool | None:
    """Whether the counter was wrong; None where it moved each time it was to be written."""
    from google.api_core.exceptions import Conflict, FailedPrecondition

    counter = Paths(client).counter(key)
    for _ in range(TRIES):
        found = counter.get(**bounded(READ_SECONDS))
        stored = found.to_dict() or {}
        right = _pending(client, key)
        if stored and {name: stored.get(name) for name in FIELDS} == right:
            return False
        if not stored and not right["pending_messages"]:
            return False
        try:
            _write(counter, right, found.update_time if found.exists else None)
        except (Conflict, FailedPrecondition):
            continue
        return True
    return None


def _pending(client: Client, key: ThreadKey) -> dict[str, Any]:
    counted = [
        (int(body["created_at"].timestamp()), body["token_count"])
        for body in _after_cursor(client, key)
        if "token_count" in body
    ]
    return {
        "pending_messages": len(counted),
        "pending_tokens": sum(tokens for _, tokens in counted),
        "pending_since": min((since for since, _ in counted), default=None),
    }


def _after_cursor(client: Client, key: ThreadKey) -> Iterator[dict[str, Any]]:
    paths = Paths(client)
    fence = paths.state(key).get(**bounded(READ_SECONDS)).to_dict() or {}
    query: Any = paths.messages(key).order_by("created_at").order_by("__name__")
    if cursor := fence.get("cursor"):
        place = {"created_at": cursor["created_at"], "__name__": cursor["message_id"]}
        query = query.start_after(place)
    for found in query.stream(**bounded(READ_SECONDS)):
        yield found.to_dict()


def _write(counter: DocumentReference, right: dict[str, Any], version: object) -> None:
    from google.cloud.firestore import DELETE_FIELD, LastUpdateOption

    if version is None:
        counter.create({name: value for name, value in right.items() if value is not None})
        return
    body = {name: DELETE_FIELD if value is None else value for name, value in right.items()}
    counter.update(body, option=LastUpdateOption(version))


if __name__ == "__main__":
    sys.exit(main())
