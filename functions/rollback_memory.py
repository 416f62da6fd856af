"""A thread's memory as it was after an earlier generation, for operators."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, require_operator, verified
from functions.deployment import MODEL_SECRETS
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=540, memory=options.MemoryOption.MB_512, secrets=MODEL_SECRETS)
def rollback_memory(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{uid, soul_id, generation, request_id}` → what came of it; claim `operator: true`.

    The same `request_id` again gets the same answer, and nothing is done twice.
    """
    with callable_failures():
        operator = caller_uid(request)
        require_operator(request)
        from functions.payloads import RollbackPayload, read_payload
        from functions.services import services
        from shared.model.thread import ThreadKey
        from shared.rolling_back.rollback_memory import RollbackMemory, rollback_memory

        payload = read_payload(RollbackPayload, request.data)
        command = RollbackMemory(
            thread=ThreadKey(uid=payload.uid, soul_id=payload.soul_id),
            generation=payload.generation,
            request_id=payload.request_id,
            requested_by=operator,
        )
        of = services()
        done = rollback_memory(command, ports=of.cycles).model_dump(mode="json")
        who = {"operator": operator, "uid": payload.uid, "soul_id": payload.soul_id}
        of.events.write("NOTICE", "rollback_memory", **who, **done)
        return done
