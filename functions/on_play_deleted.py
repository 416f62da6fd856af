"""A user removed a play: its summaries and scenes go with it (PRD §4.7)."""

from typing import Any

from firebase_functions import firestore_fn, options

from functions.failures import worker_failures
from functions.triggers import named_by_its_data, retried


@retried
@named_by_its_data
@firestore_fn.on_document_deleted(
    document="users/{uid}/plays/{play_id}",
    timeout_sec=300,
    memory=options.MemoryOption.MB_512,
)
def on_play_deleted(event: firestore_fn.Event[Any]) -> None:
    """Delivered at least once; what is gone is not looked for again."""
    from functions.services import services
    from shared.removing.remove_play import RemovePlay, remove_play

    of = services()
    with worker_failures(of.events, "on_play_deleted", "-"):
        command = RemovePlay(
            uid=event.params["uid"], play_id=event.params["play_id"], deleted_at=event.time
        )
        remove_play(command, parts=of.play_parts)
