"""A message was written: count it, and ask for a summary cycle when one is due."""

from typing import Any

from firebase_functions import firestore_fn, options

from functions.failures import worker_failures
from functions.triggers import named_by_its_data, retried


@retried
@named_by_its_data
@firestore_fn.on_document_created(
    document="users/{uid}/threads/{soul_id}/messages/{message_id}",
    timeout_sec=60,
    memory=options.MemoryOption.MB_512,
)
def on_message_created(event: firestore_fn.Event[Any]) -> None:
    """Delivered at least once, in any order; counting twice changes nothing."""
    from functions.services import services
    from functions.triggers import late_writes_cleared, read_message, thread_key
    from shared.counting.record_message import RecordMessage, record_message

    of = services()
    with (
        worker_failures(of.events, "on_message_created", event.params["soul_id"]),
        late_writes_cleared(event.params["uid"], of.leaving),
    ):
        command = RecordMessage(thread=thread_key(event.params), message=read_message(event))
        record_message(
            command,
            threads=of.threads,
            memory=of.memory,
            tasks=of.tasks,
            tokens=of.tokens,
            clock=of.clock,
            settings=of.settings,
        )
