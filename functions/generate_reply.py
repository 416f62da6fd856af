"""A Soul answers the caller, by the server: the prompt never leaves it (PRD §8-A)."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, verified
from functions.deployment import MODEL_SECRETS
from functions.failures import callable_failures
from functions.streaming import streamed


@streamed
@verified
@https_fn.on_call(timeout_sec=120, memory=options.MemoryOption.MB_512, secrets=MODEL_SECRETS)
def generate_reply(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{soul_id, request_id}` → the turn that was written, for the owner of the thread.

    A client that streams gets `{bubble}` as each one is finished. A failure's details hold its
    kind: `blocked`, `busy`, `budget` or `retry`.
    """
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import ReplyPayload, read_payload
        from functions.services import services
        from functions.streaming import tell_client
        from shared.model.thread import ThreadKey
        from shared.replying.generate_reply import GenerateReply, generate_reply

        payload = read_payload(ReplyPayload, request.data)
        given = generate_reply(
            GenerateReply(
                thread=ThreadKey(uid=uid, soul_id=payload.soul_id), request_id=payload.request_id
            ),
            ports=services().replying,
            tell=lambda bubble: tell_client({"bubble": bubble}),
        )
        return given.model_dump(mode="json")
