"""What the Firestore triggers share."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from shared.model.thread import ThreadKey
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
            changed = DocumentEventData.deserialize(data)
            name = changed.value.name or changed.old_value.name  # a deletion has the old one alone
            raw["document"] = name.partition("/documents/")[2]
        return function(raw)

    return cast(F, renamed)


def thread_key(params: Mapping[str, str]) -> "ThreadKey":
    """The thread that an event's path names."""
    from shared.model.thread import ThreadKey

    return ThreadKey(uid=params["uid"], soul_id=params["soul_id"])


def read_message(event: Any) -> "Versioned":
    """The message as the event carries it, with the version that counting must find.

    Raises DocumentMisshapenError for a document that is no message, which no client can write.
    """
    from functions.adapters.firestore.codec import decode
    from shared.model.thread import Message
    from shared.ports import Versioned

    snapshot = event.data
    body = (snapshot.to_dict() if snapshot is not None else None) or {}
    message = decode(Message, event.document, body, message_id=event.params["message_id"])
    return Versioned(message=message, version=snapshot.update_time)
