"""Everything that is kept of the caller, as JSON."""

from typing import Any

from firebase_functions import https_fn, options

from functions.callers import caller_uid, verified
from functions.failures import callable_failures


@verified
@https_fn.on_call(timeout_sec=540, memory=options.MemoryOption.MB_512)
def export_my_data(request: https_fn.CallableRequest[Any]) -> dict[str, Any]:
    """`{}` → the export (docs/export.schema.json), or the address of its file for 15 minutes."""
    with callable_failures():
        uid = caller_uid(request)
        from functions.payloads import NoPayload, read_payload
        from functions.services import services
        from shared.exporting.export_my_data import ExportMyData, export_my_data

        read_payload(NoPayload, request.data or {})
        exported = export_my_data(ExportMyData(uid=uid), ports=services().exporting)
        return exported.model_dump(mode="json", exclude_none=True)
