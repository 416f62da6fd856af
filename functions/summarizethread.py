"""A cycle, called by the queue of the same name (a queue's id takes no underscore)."""

from typing import Any

from firebase_functions import https_fn, options, tasks_fn

from functions.deployment import MODEL_SECRETS
from functions.failures import worker_failures


@tasks_fn.on_task_dispatched(
    retry_config=options.RetryConfig(
        max_attempts=100, min_backoff_seconds=2, max_backoff_seconds=600, max_doublings=8
    ),
    rate_limits=options.RateLimits(max_concurrent_dispatches=100),
    timeout_sec=540,
    memory=options.MemoryOption.MB_512,
    secrets=MODEL_SECRETS,
)
def summarizethread(request: https_fn.CallableRequest[Any]) -> None:
    """Delivered at least once; the record of the cycle decides what is left to do."""
    from functions.payloads import CyclePayload, read_payload
    from functions.services import services
    from shared.model.thread import ThreadKey
    from shared.running.run_cycle import RunCycle, run_cycle

    of = services()
    with worker_failures(of.events, "summarizethread", "-"):
        payload = read_payload(CyclePayload, request.data)
        key = ThreadKey(uid=payload.uid, soul_id=payload.soul_id)
        run_cycle(RunCycle(thread=key, generation=payload.generation), ports=of.cycles)
