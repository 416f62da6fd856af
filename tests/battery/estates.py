"""Users with thousands of documents, and what is left of one."""

import random
from collections.abc import Iterator

from google.cloud.firestore import Client

from functions.adapters.firestore.belongings import descendants
from tests.battery.arena import Arena
from tests.battery.runner import each

COMMIT = 500
WRITERS = 3
PLACES = (
    "threads/옛친구{part}/messages/m{number:05d}",
    "threads/옛친구{part}/lorebook/{number:06d}-000",
    "threads/옛친구{part}/withdrawn_entries/{number:06d}-001",
    "threads/옛친구{part}/deleted_messages/m{number:05d}",
    "threads/sohee/messages/옛{number:05d}/reactions/하트",
    "plays/p{part}/scenes/s{number:05d}",
    "plays/p{part}/summaries/s{number:05d}",
    "budgets/2026-01-{part:02d}/calls/c{number:05d}",
    "앨범/{part}/사진/{number:05d}",
)
"""Most below documents that do not exist, one in a collection that no code knows."""


def write_estate(client: Client, uid: str, count: int, chance: random.Random) -> None:
    """`count` documents of every sort, many of them messages, in few commits."""
    places = [PLACES[0], *chance.choices(PLACES, k=11)]

    def write(start: int) -> None:
        batch = client.batch()
        for number in range(start, min(start + COMMIT, count)):
            place = places[number % len(places)].format(part=number % 7 + 1, number=number)
            batch.set(client.document(f"users/{uid}/{place}"), {"text": f"{number}번째 말"})
        batch.commit()

    each(write, range(0, count, COMMIT), workers=WRITERS)


def left_of(arena: Arena, uid: str) -> list[str]:
    """The paths of what is left of a user, documents and files."""
    documents = (one.reference.path for one in descendants(arena.client, uid).stream())
    return [*documents, *arena.bucket.of(uid)]


def versions_of(arena: Arena, uid: str) -> dict[str, object]:
    """When each document of a user was last written, and each file's text."""
    documents = descendants(arena.client, uid).stream()
    files = {one: arena.bucket.files[one] for one in arena.bucket.of(uid)}
    return {**{one.reference.path: one.update_time for one in documents}, **files}


def some(paths: list[str]) -> Iterator[str]:
    """A problem where something is left."""
    if paths:
        yield f"{len(paths)} are left, such as {paths[0]}"
