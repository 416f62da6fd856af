"""The same nightly sweep, called by an operator."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, require_operator, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=540, memory=options.MemoryOption.MB_512)
def run_nightly_sweep(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{}` → what the run found and did; for callers with the claim `operator: true`."""
    with callable_failures():
        caller_uid(request)
        require_operator(request)
        from functions.services import services
        from shared.leaving.nightly_sweep import nightly_sweep

        return nightly_sweep(ports=services().leaving).model_dump(mode="json")
