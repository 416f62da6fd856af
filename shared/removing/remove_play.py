"""A play was removed by its user: what the game recorded of it goes too (PRD §4.7).

What memory has absorbed of it stays, and the audit says from which play it came.
"""

from datetime import datetime, timedelta
from typing import Protocol

from shared.errors import RetryLaterError
from shared.model.base import Frozen, Moment
from shared.model.ids import DocumentId

PAGE = 300
PAGES = 40  # as many as fit into one delivery; the next one goes on
FRACTIONS = timedelta(seconds=1)  # an event's time may come in whole seconds


class PlayParts(Protocol):
    """The summaries and scenes of plays, to be removed."""

    def is_there(self, uid: str, play_id: str) -> bool:
        """Whether the play itself is there."""
        ...

    def delete_parts(self, uid: str, play_id: str, *, until: datetime, limit: int) -> int:
        """Delete at most `limit` parts that were last written at or before `until`.

        Answers how many; fewer than `limit` means that none is left.
        """
        ...


class RemovePlay(Frozen):
    """Remove what is left of this play, which was deleted at that time."""

    uid: DocumentId
    play_id: DocumentId
    deleted_at: Moment


class PlayRemoved(Frozen):
    """How many summaries and scenes went."""

    parts: int


def remove_play(command: RemovePlay, *, parts: PlayParts) -> PlayRemoved:
    """Delete page by page; a second delivery finds less to do, or nothing.

    A play that is there again, put back or played anew, keeps what it has; what was written after
    the deletion stays too, since the play may be on its way. Raises RetryLaterError while there is
    more than one delivery has time for.
    """
    removed, until = 0, command.deleted_at + FRACTIONS
    for _ in range(PAGES):
        if parts.is_there(command.uid, command.play_id):
            return PlayRemoved(parts=removed)
        gone = parts.delete_parts(command.uid, command.play_id, until=until, limit=PAGE)
        removed += gone
        if gone < PAGE:
            return PlayRemoved(parts=removed)
    raise RetryLaterError("there is more of the play to remove")
