"""What a Soul knows of a user, for operators: slots, lorebook, cycles, and the prompt of now."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, require_operator, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=60, memory=options.MemoryOption.MB_512)
def inspect_thread(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{uid, soul_id}` → the thread's memory; for callers with the claim `operator: true`."""
    with callable_failures():
        caller_uid(request)
        require_operator(request)
        from functions.payloads import InspectPayload, read_payload
        from functions.services import services
        from shared.inspecting.inspect_thread import InspectThread, inspect_thread
        from shared.model.thread import ThreadKey

        payload = read_payload(InspectPayload, request.data)
        of = services()
        found = inspect_thread(
            InspectThread(thread=ThreadKey(uid=payload.uid, soul_id=payload.soul_id)),
            records=of.records,
            ports=of.composing,
        )
        return found.model_dump(mode="json", exclude_none=True)
