"""Make the lorebook index of a thread anew (`make rebuild-index UID=… SOUL=…`).

Works on the project that the environment names, or on the emulators where FIRESTORE_EMULATOR_HOST
leads to them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pydantic import ValidationError

from functions.services import services
from shared.errors import StaleClaimError
from shared.model.thread import ThreadKey
from shared.recall.rebuild_index import rebuild_index


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild one thread's index and say what it holds; 2 for arguments that do not fit."""
    parser = argparse.ArgumentParser(prog="rebuild-index", description=__doc__)
    parser.add_argument("uid")
    parser.add_argument("soul_id")
    given = parser.parse_args(arguments)
    try:
        key = ThreadKey(uid=given.uid, soul_id=given.soul_id)
    except ValidationError as error:
        field = error.errors(include_input=False, include_url=False)[0]["loc"][0]
        print(f"rebuild-index: {field} is no legal document id", file=sys.stderr)
        return 2
    of = services().cycles
    try:
        rebuilt = rebuild_index(key, memory=of.memory, lorebook=of.lorebook, embedder=of.embedder)
    except StaleClaimError:
        print("rebuild-index: a cycle was applied meanwhile; run it again", file=sys.stderr)
        return 1
    print(f"rebuild-index: {rebuilt.entries} entries in {rebuilt.shards} shards")
    return 0


if __name__ == "__main__":
    sys.exit(main())
