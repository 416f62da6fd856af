"""The composed prompt of the caller's chat with a Soul (contract: compose_prompt)."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=60, memory=options.MemoryOption.MB_512)
def compose_prompt(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{soul_id}` → the prompt, for the signed-in owner of the thread. Writes nothing."""
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import ComposePayload, read_payload
        from functions.services import services
        from shared.composing.compose_prompt import ComposePrompt, compose_prompt
        from shared.model.thread import ThreadKey

        payload = read_payload(ComposePayload, request.data)
        of = services()
        composed = compose_prompt(
            ComposePrompt(thread=ThreadKey(uid=uid, soul_id=payload.soul_id)),
            sources=of.sources,
            threads=of.threads,
            lorebook=of.lorebook,
            prompts=of.prompts,
            tokens=of.tokens,
            clock=of.clock,
            settings=of.settings,
        )
        return composed.model_dump(mode="json")
