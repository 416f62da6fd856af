"""Ids that become part of a Firestore path, checked before a path is built.

An unchecked id could name another document (`a/b`), a reserved one (`__x__`), or end in an
error of the client library that carries the caller's text.
"""

from typing import Annotated

from pydantic import AfterValidator

MAX_ID_BYTES = 1500


def document_id_problem(value: str) -> str | None:
    """Why `value` is no legal document id, or None when it is one.

    Source: Firestore's constraints on document ids (UTF-8, at most 1,500 bytes, no slash, not
    `.` or `..`, not `__.*__`).
    """
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        return "is not valid Unicode"
    if size == 0:
        return "must not be empty"
    if size > MAX_ID_BYTES:
        return f"must be at most {MAX_ID_BYTES} bytes"
    if "/" in value:
        return "must not contain a slash"
    if value in {".", ".."} or (value.startswith("__") and value.endswith("__")):
        return "is reserved"
    return None


def _checked(value: str) -> str:
    problem = document_id_problem(value)
    if problem is not None:
        raise ValueError(problem)
    return value


DocumentId = Annotated[str, AfterValidator(_checked)]
