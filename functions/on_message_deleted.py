"""A message was deleted: take it off the counter, or out of memory."""

from typing import Any

from firebase_functions import firestore_fn, options

from functions.failures import worker_failures
from functions.triggers import named_by_its_data, retried


@retried
@named_by_its_data
@firestore_fn.on_document_deleted(
    document="users/{uid}/threads/{soul_id}/messages/{message_id}",
    timeout_sec=300,
    memory=options.MemoryOption.MB_512,
)
def on_message_deleted(event: firestore_fn.Event[Any]) -> None:
    """Delivered at least once, in any order; a deletion is settled once."""
    from functions.services import services
    from functions.triggers import message_of, thread_key
    from shared.forgetting.record_change import RecordDeletion, record_deletion

    of = services()
    with worker_failures(of.events, "on_message_deleted", event.params["soul_id"]):
        command = RecordDeletion(
            thread=thread_key(event.params),
            message=message_of(event, event.data),
            changed_at=event.data.update_time,
        )
        record_deletion(command, ports=of.changing)
