"""Between stored maps and the core's models; an error names path and field, never a value."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from shared.errors import DocumentMisshapenError

M = TypeVar("M", bound=BaseModel)


def decode(model: type[M], path: str, data: Mapping[str, Any], **ids: str) -> M:
    """A stored document as `model`; `ids` are fields that live in the path.

    Raises DocumentMisshapenError for the first field that does not fit.
    """
    try:
        return model.model_validate({**data, **ids})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "(document)"
        raise DocumentMisshapenError(path, field, first["type"]) from None


def encode(document: BaseModel, *without: str) -> dict[str, Any]:
    """A model as a map to store. Nothing is left out, so that an update clears old values."""
    return document.model_dump(mode="python", exclude=set(without))
