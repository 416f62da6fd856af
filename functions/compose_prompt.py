"""The composed prompt of the caller's chat with a Soul (contract: compose_prompt)."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, require_operator, require_server, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=60, memory=options.MemoryOption.MB_512)
def compose_prompt(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{soul_id}` → the prompt, for the signed-in owner of the thread. Writes nothing.

    With COMPOSE_CALLERS=server: `{uid, soul_id}`, for callers with the claim `server: true`.

    `explain: true`, for operators, adds every entry that recall considered.
    """
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import ComposePayload, ServerComposePayload, read_payload
        from functions.services import services
        from shared.composing.compose_prompt import ComposePrompt, compose_prompt
        from shared.model.thread import ThreadKey

        of = services()
        payload: ComposePayload
        if of.settings.compose_callers == "server":
            require_server(request)
            payload = named = read_payload(ServerComposePayload, request.data)
            uid = named.uid
        else:
            payload = read_payload(ComposePayload, request.data)
        if payload.explain:
            require_operator(request)
        composed = compose_prompt(
            ComposePrompt(
                thread=ThreadKey(uid=uid, soul_id=payload.soul_id), explain=payload.explain
            ),
            ports=of.composing,
        )
        return composed.prompt.model_dump(mode="json", exclude_none=True)
