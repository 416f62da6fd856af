"""The functions that are deployed, and where. Nothing else happens here."""

from firebase_functions import options

from functions.deployment import REGION, SERVICE_ACCOUNT

options.set_global_options(region=REGION, service_account=SERVICE_ACCOUNT)  # type: ignore[arg-type]

from functions.compose_prompt import compose_prompt  # noqa: E402
from functions.delete_my_data import delete_my_data  # noqa: E402
from functions.export_my_data import export_my_data  # noqa: E402
from functions.generate_reply import generate_reply  # noqa: E402
from functions.inspect_thread import inspect_thread  # noqa: E402
from functions.load_recent_memories import load_recent_memories  # noqa: E402
from functions.nightly_sweep import nightly_sweep  # noqa: E402
from functions.on_message_created import on_message_created  # noqa: E402
from functions.on_message_deleted import on_message_deleted  # noqa: E402
from functions.on_message_updated import on_message_updated  # noqa: E402
from functions.on_play_deleted import on_play_deleted  # noqa: E402
from functions.on_thread_created import on_thread_created  # noqa: E402
from functions.rollback_memory import rollback_memory  # noqa: E402
from functions.run_nightly_sweep import run_nightly_sweep  # noqa: E402
from functions.run_sweep import run_sweep  # noqa: E402
from functions.summarizethread import summarizethread  # noqa: E402
from functions.sweep import sweep  # noqa: E402

__all__ = [
    "compose_prompt",
    "delete_my_data",
    "export_my_data",
    "generate_reply",
    "inspect_thread",
    "load_recent_memories",
    "nightly_sweep",
    "on_message_created",
    "on_message_deleted",
    "on_message_updated",
    "on_play_deleted",
    "on_thread_created",
    "rollback_memory",
    "run_nightly_sweep",
    "run_sweep",
    "summarizethread",
    "sweep",
]
