"""A document came after its user's data was deleted: it goes, and what came with it."""

from shared.leaving.erasing import Erased, erase_and_note
from shared.leaving.leaving_ports import LeavingPorts
from shared.model.base import Frozen
from shared.model.ids import DocumentId

SECONDS = 20.0


class ClearLateWrites(Frozen):
    """Delete what has come for this user since."""

    uid: DocumentId


def clear_late_writes(command: ClearLateWrites, *, ports: LeavingPorts) -> Erased:
    """Delete whatever there is, if a tombstone stands; nothing otherwise.

    An app that was offline sends what was written there when it finds the network again, and no
    rule looks at the tombstone.
    """
    deletion = ports.deletions.read(command.uid)
    if deletion is None:
        return Erased(documents=0, files=0, finished=False)
    return erase_and_note(command.uid, deletion, ports=ports, seconds=SECONDS)
