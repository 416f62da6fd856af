"""What callers send, checked before anything is read."""

import re
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from shared.errors import InvalidArgumentError
from shared.model.base import Frozen
from shared.model.ids import DocumentId

_FIELD = re.compile(r"[a-z][a-z_]{0,31}")
P = TypeVar("P", bound=BaseModel)


class ComposePayload(Frozen):
    """`compose_prompt`'s input."""

    soul_id: DocumentId
    explain: bool = False


class NoPayload(Frozen):
    """The input of callables that take none."""


class ServerComposePayload(ComposePayload):
    """`compose_prompt`'s input where only servers may call: they say whose thread."""

    uid: DocumentId


class ReplyPayload(Frozen):
    """`generate_reply`'s input."""

    soul_id: DocumentId
    request_id: DocumentId


class ImportPayload(Frozen):
    """`load_recent_memories`'s input. A charge's id ends up in a log line."""

    soul_id: DocumentId
    request_id: DocumentId
    charge_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,128}$")] | None = None


class InspectPayload(Frozen):
    """`inspect_thread`'s input."""

    uid: DocumentId
    soul_id: DocumentId


class RollbackPayload(Frozen):
    """`rollback_memory`'s input."""

    uid: DocumentId
    soul_id: DocumentId
    generation: Annotated[int, Field(ge=0, strict=True)]
    request_id: DocumentId


class CyclePayload(Frozen):
    """A task on the queue `summarizethread`."""

    uid: DocumentId
    soul_id: DocumentId
    generation: int


def read_payload(model: type[P], data: Any) -> P:
    """`data` as `model`. Raises InvalidArgumentError naming the field, never its value.

    A field that nobody declared is named where it looks like a field: its name is the caller's
    own text.
    """
    if not isinstance(data, dict):
        raise InvalidArgumentError("data", "must be an object")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "data"
        if first["type"] == "extra_forbidden" and not _FIELD.fullmatch(field):
            raise InvalidArgumentError("data", "has a field that is not known") from None
        raise InvalidArgumentError(field, first["msg"].removeprefix("Value error, ")) from None
