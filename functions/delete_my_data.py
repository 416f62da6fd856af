"""Deletes all that is kept of the caller, for good."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=120, memory=options.MemoryOption.MB_512)
def delete_my_data(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{}` → how far it is. Until it says `finished`, call again, or leave it to the night."""
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import NoPayload, read_payload
        from functions.services import services
        from shared.leaving.delete_my_data import DeleteMyData, delete_my_data

        read_payload(NoPayload, request.data or {})
        deleted = delete_my_data(DeleteMyData(uid=uid), ports=services().leaving)
        return deleted.model_dump(mode="json")
