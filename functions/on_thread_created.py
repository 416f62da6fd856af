"""A thread was created: seed its first memory from the episodes played (PRD §5)."""

from typing import Any

from firebase_functions import firestore_fn, options

from functions.deployment import MODEL_SECRETS
from functions.failures import worker_failures
from functions.triggers import named_by_its_data, retried


@retried
@named_by_its_data
@firestore_fn.on_document_created(
    document="users/{uid}/threads/{soul_id}",
    timeout_sec=540,
    memory=options.MemoryOption.MB_512,
    secrets=MODEL_SECRETS,
)
def on_thread_created(event: firestore_fn.Event[Any]) -> None:
    """Delivered at least once; a seed that is there is not made again."""
    from functions.services import services
    from functions.triggers import late_writes_cleared, thread_key
    from shared.seeding.seed_memory import SeedMemory, seed_memory

    of = services()
    with (
        worker_failures(of.events, "on_thread_created", event.params["soul_id"]),
        late_writes_cleared(event.params["uid"], of.leaving),
    ):
        seed_memory(SeedMemory(thread=thread_key(event.params)), ports=of.cycles)
