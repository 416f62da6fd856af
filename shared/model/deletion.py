"""What is left of a user whose data was deleted: that it was, and when."""

from typing import Literal

from pydantic import AwareDatetime

from shared.model.base import Stored

DeletionReason = Literal["asked", "account_gone"]


class Deletion(Stored):
    """`deletions/{uid}`, a tombstone: while it stands, nothing is written for this user.

    It says nothing of the person beside the uid in its path. `documents` and `files` are how many
    have been deleted so far, at least. `look_at` is when the nightly sweep looks again: for what
    was not finished, and for what came late.
    """

    reason: DeletionReason
    started_at: AwareDatetime
    finished_at: AwareDatetime | None = None
    look_at: AwareDatetime
    documents: int = 0
    files: int = 0
