"""Writes under the condition that a document is as it was read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import encode

if TYPE_CHECKING:
    from google.cloud.firestore import DocumentReference, WriteBatch
    from pydantic import BaseModel


def create_or_update(
    batch: "WriteBatch", reference: "DocumentReference", body: Mapping[str, Any], version: object
) -> None:
    """Create the document where none was read (`version` None), or update these fields of it if it
    is still at `version`. The commit is refused otherwise.
    """
    from google.cloud.firestore import LastUpdateOption

    if version is None:
        batch.create(reference, dict(body))
    else:
        batch.update(reference, dict(body), option=LastUpdateOption(version))


def put(
    batch: "WriteBatch",
    reference: "DocumentReference",
    document: "BaseModel",
    version: object,
    *without: str,
) -> None:
    """Create or update it with all fields of `document` but those `without`."""
    create_or_update(batch, reference, encode(document, *without), version)
