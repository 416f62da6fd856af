"""Set counters to what is really pending (`make recount`, `make recount UID=… SOUL=…`).

For after a restore of some collections, or an import: a backup of the whole database needs none.
Works on the project that the environment names, or on the emulators where FIRESTORE_EMULATOR_HOST
leads to them; without a thread named, on all. Messages that nobody has counted are left to the
sweep.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from functions.adapters.firestore.counters import FirestoreCounters
from functions.adapters.firestore.memory import FirestoreMemory
from shared.counting.recount import recount
from shared.errors import RetryLaterError
from tools.threads import add_thread_arguments, named_threads


def main(arguments: Sequence[str] | None = None) -> int:
    """Recount and say what was wrong; 1 where a counter moved all the time."""
    from google.cloud import firestore

    parser = argparse.ArgumentParser(prog="recount", description=__doc__)
    add_thread_arguments(parser)
    given = parser.parse_args(arguments)
    client = firestore.Client()
    memory, counters = FirestoreMemory(client), FirestoreCounters(client)
    looked, wrong, moving = 0, 0, 0
    for key in named_threads(client, given.uid, given.soul_id):
        looked += 1
        try:
            done = recount(key, memory=memory, counters=counters)
        except RetryLaterError:
            moving += 1
            continue
        wrong += done.before != done.after
    print(f"recount: {looked} threads, {wrong} counters were wrong and are right")
    if moving:
        print(f"recount: {moving} moved meanwhile; run it again", file=sys.stderr)
    return 1 if moving else 0


if __name__ == "__main__":
    sys.exit(main())
