"""A message was written again: where its owner has edited it, count it and remember it anew."""

from typing import Any

from firebase_functions import firestore_fn, options

from functions.failures import worker_failures
from functions.triggers import named_by_its_data, retried


@retried
@named_by_its_data
@firestore_fn.on_document_updated(
    document="users/{uid}/threads/{soul_id}/messages/{message_id}",
    timeout_sec=300,
    memory=options.MemoryOption.MB_512,
)
def on_message_updated(event: firestore_fn.Event[Any]) -> None:
    """Every mark of the server's comes here too; only another text is an edit."""
    before, after = event.data.before, event.data.after
    if before.get("text") == after.get("text"):
        return
    from functions.services import services
    from functions.triggers import message_of, thread_key
    from shared.forgetting.record_change import RecordEdit, record_edit

    of = services()
    with worker_failures(of.events, "on_message_updated", event.params["soul_id"]):
        command = RecordEdit(
            thread=thread_key(event.params),
            before=message_of(event, before),
            changed_at=after.update_time,
        )
        record_edit(command, ports=of.changing)
