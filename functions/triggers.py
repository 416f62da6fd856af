"""What the Firestore triggers share."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from shared.leaving.leaving_ports import LeavingPorts
    from shared.model.thread import Message, ThreadKey
    from shared.ports import Versioned

F = TypeVar("F", bound=Callable[..., Any])


def retried(function: F) -> F:
    """Ask the platform to deliver an event again when its function fails.

    The SDK has no option for it and pins retry to off, but discovery passes on what stands in
    the endpoint. Without it a failed event is dropped.
    """
    function.__firebase_endpoint__.eventTrigger["retry"] = True  # type: ignore[attr-defined]
    return function


def named_by_its_data(function: F) -> F:
    """Take the document's name from the event's data, which is UTF-8.

    The SDK takes it from an HTTP header, which is read as Latin-1 and never decoded: an id
    beyond ASCII would name a document that does not exist, and the event would be lost.
    """

    @wraps(function)
    def renamed(raw: Any) -> Any:
        from google.events.cloud.firestore import DocumentEventData

        data = raw.get_data()
        if isinstance(data, bytes):
            told = DocumentEventData.deserialize(data)
            name = told.value.name or told.old_value.name
            if not name:  # an emulator's event of a delete that found nothing to delete
                return None
            raw["document"] = name.partition("/documents/")[2]
        return function(raw)

    return cast(F, renamed)


@contextmanager
def late_writes_cleared(uid: str, ports: "LeavingPorts") -> Iterator[None]:
    """Inside, what is found to have come after its user's data was deleted is deleted again."""
    from shared.errors import UserGoneError
    from shared.leaving.clear_late_writes import ClearLateWrites, clear_late_writes

    try:
        yield
    except UserGoneError:
        clear_late_writes(ClearLateWrites(uid=uid), ports=ports)


def thread_key(params: Mapping[str, str]) -> "ThreadKey":
    """The thread that an event's path names."""
    from shared.model.thread import ThreadKey

    return ThreadKey(uid=params["uid"], soul_id=params["soul_id"])


def read_message(event: Any) -> "Versioned":
    """The message as the event carries it, with the version that counting must find.

    Raises DocumentMisshapenError for a document that is no message, which no client can write.
    """
    from shared.ports import Versioned

    return Versioned(message=message_of(event, event.data), version=event.data.update_time)


def message_of(event: Any, snapshot: Any) -> "Message":
    """A message as a snapshot of the event has it. Raises DocumentMisshapenError."""
    from functions.adapters.firestore.codec import decode
    from shared.model.thread import Message

    body = (snapshot.to_dict() if snapshot is not None else None) or {}
    return decode(Message, event.document, body, message_id=event.params["message_id"])
