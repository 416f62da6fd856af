"""A user asks to import what they have played since (PRD §5.1, T2)."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=60, memory=options.MemoryOption.MB_512)
def load_recent_memories(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{soul_id, request_id, charge_id?}` → `{status, …}`, for the owner of the thread.

    `imported` names the cycle, the plays and the slots that changed; `nothing_new`; `running`:
    ask again with the same `request_id`, or watch `live/import`; `failed` has a `kind`.
    """
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import ImportPayload, read_payload
        from functions.services import services
        from shared.importing.load_recent_memories import LoadRecentMemories, load_recent_memories
        from shared.model.thread import ThreadKey

        payload = read_payload(ImportPayload, request.data)
        loaded = load_recent_memories(
            LoadRecentMemories(
                thread=ThreadKey(uid=uid, soul_id=payload.soul_id),
                request_id=payload.request_id,
                charge_id=payload.charge_id,
            ),
            ports=services().cycles,
        )
        return loaded.model_dump(mode="json", exclude_none=True)
