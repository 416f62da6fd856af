"""The composed prompt of the caller's chat with a Soul (contract: compose_prompt)."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, require_operator, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=60, memory=options.MemoryOption.MB_512)
def compose_prompt(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{soul_id}` → the prompt, for the signed-in owner of the thread. Writes nothing.

    `explain: true`, for operators, adds every entry that recall considered.
    """
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import ComposePayload, read_payload
        from functions.services import services
        from shared.composing.compose_prompt import ComposePrompt, compose_prompt
        from shared.model.thread import ThreadKey

        payload = read_payload(ComposePayload, request.data)
        if payload.explain:
            require_operator(request)
        of = services()
        composed = compose_prompt(
            ComposePrompt(
                thread=ThreadKey(uid=uid, soul_id=payload.soul_id), explain=payload.explain
            ),
            sources=of.sources,
            threads=of.threads,
            indexes=of.indexes,
            semantics=of.semantics,
            prompts=of.prompts,
            tokens=of.tokens,
            clock=of.clock,
            settings=of.settings,
        )
        return composed.model_dump(mode="json", exclude_none=True)
