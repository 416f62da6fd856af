"""The `Souls` port: the director's documents, read and never written."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import DocumentNotFoundError
from shared.model.slots import DefaultPersona, InitialSituation, MessengerBio, Soul
from shared.ports import DirectorDocuments

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference, DocumentSnapshot

M = TypeVar("M", bound=BaseModel)
Found = dict[str, "DocumentSnapshot[Any]"]


class FirestoreSouls:
    """`souls/{soul_id}` and its three slots."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._paths = Paths(client)

    def read_soul(self, soul_id: str) -> DirectorDocuments:
        references = director_references(self._paths, soul_id)
        found = self._client.get_all(references, **bounded(READ_SECONDS))
        return director_documents(self._paths, soul_id, by_path(found))


def by_path(snapshots: "Iterable[DocumentSnapshot[Any]]") -> Found:
    return {snapshot.reference.path: snapshot for snapshot in snapshots}


def director_references(paths: Paths, soul_id: str) -> "list[DocumentReference]":
    """The four documents that make a Soul; the last is optional."""
    slots = ("soul_messenger_bio", "soul_default_persona", "chat_initial_situation")
    return [paths.soul(soul_id), *(paths.soul_slot(soul_id, name) for name in slots)]


def director_documents(paths: Paths, soul_id: str, found: Found) -> DirectorDocuments:
    """Raises DocumentNotFoundError and DocumentMisshapenError, naming the document."""
    soul, bio, persona, situation = director_references(paths, soul_id)
    return DirectorDocuments(
        soul=_required(Soul, soul.path, found),
        bio=_required(MessengerBio, bio.path, found),
        persona=_required(DefaultPersona, persona.path, found),
        initial_situation=_optional(InitialSituation, situation.path, found),
    )


def _required(model: type[M], path: str, found: Found) -> M:
    document = _optional(model, path, found)
    if document is None:
        raise DocumentNotFoundError(path)
    return document


def _optional(model: type[M], path: str, found: Found) -> M | None:
    snapshot = found[path]
    return decode(model, path, snapshot.to_dict() or {}) if snapshot.exists else None
