"""Delete all that is kept of a user, and keep it from coming back."""

from datetime import timedelta

from pydantic import AwareDatetime

from shared.leaving.erasing import erase_and_note
from shared.leaving.leaving_ports import LeavingPorts
from shared.model.base import Frozen
from shared.model.deletion import Deletion, DeletionReason
from shared.model.ids import DocumentId

AT_ONCE_SECONDS = 50.0  # the apps' SDKs wait 70 for a callable
NOT_BEFORE = timedelta(hours=1)  # the nightly sweep lets a deletion under way alone


class DeleteMyData(Frozen):
    """Delete this user's data; `reason` stands on the tombstone."""

    uid: DocumentId
    reason: DeletionReason = "asked"


class DataDeleted(Frozen):
    """How far it is. Not finished: call again, or wait for the nightly sweep.

    `documents` and `files` are how many have been deleted in all, at least.
    """

    finished: bool
    documents: int
    files: int
    started_at: AwareDatetime
    finished_at: AwareDatetime | None


def delete_my_data(
    command: DeleteMyData, *, ports: LeavingPorts, seconds: float = AT_ONCE_SECONDS
) -> DataDeleted:
    """Put up the tombstone, then delete documents, images and exports, for so long at most.

    May be repeated at any point, also after a crash: it goes on. The uid stays closed. With
    DELETE_AUTH_USER the sign-in account goes last.
    """
    uid, now = command.uid, ports.clock.now()
    wanted = Deletion(reason=command.reason, started_at=now, look_at=now + NOT_BEFORE)
    stood = ports.deletions.begin(uid, wanted)
    erased = erase_and_note(uid, stood, ports=ports, seconds=seconds)
    if erased.finished and ports.settings.delete_auth_user:
        ports.accounts.delete(uid)
    return DataDeleted(
        finished=erased.finished,
        documents=stood.documents + erased.documents,
        files=stood.files + erased.files,
        started_at=stood.started_at,
        finished_at=erased.finished_at,
    )
