"""Deleting all that is a user's, page by page, until a whole look finds nothing.

Whatever wrote for the user before the tombstone stood has either ended or is refused from now
on: every commit that creates something is under the condition that no tombstone stands, and every
other one needs a document that this deletes. So what a look misses, because it came behind it, is
found by the next, and after a look that finds nothing there is nobody left to write.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta

from pydantic import AwareDatetime

from shared.leaving.leaving_ports import DeletedPage, LeavingPorts
from shared.model.base import Frozen
from shared.model.deletion import Deletion

LOOK_AGAIN = timedelta(days=1)
LONGEST_PAUSE = timedelta(days=30)


class Erased(Frozen):
    """What one attempt deleted; `finished` when nothing is left, `finished_at` when that began."""

    documents: int
    files: int
    finished: bool
    finished_at: AwareDatetime | None = None


def erase(uid: str, *, ports: LeavingPorts, seconds: float) -> Erased:
    """Delete for about so long, one page at least; a second attempt goes on where this one ends.

    A tombstone must stand. Director's documents, other users and the project's own are elsewhere.
    """
    end = ports.clock.monotonic() + seconds
    documents = files = 0
    found = 1
    while found:
        found = 0
        for page in _pages(lambda after: ports.belongings.delete_page(uid, after=after)):
            found, documents = found + page.count, documents + page.count
            _count(uid, ports, documents=page.count)
            if page.after is not None and ports.clock.monotonic() >= end:
                return Erased(documents=documents, files=files, finished=False)
        for page in _pages(lambda after: ports.files.delete_page(uid, after=after)):
            found, files = found + page.count, files + page.count
            _count(uid, ports, files=page.count)
        if found and ports.clock.monotonic() >= end:
            return Erased(documents=documents, files=files, finished=False)
    return Erased(documents=documents, files=files, finished=True)


def erase_and_note(uid: str, deletion: Deletion, *, ports: LeavingPorts, seconds: float) -> Erased:
    """Erase, and put on the tombstone when it was finished and when to look again.

    The longer nothing has come, the longer the pause: a day, then as long again as it has been.
    """
    erased = erase(uid, ports=ports, seconds=seconds)
    if not erased.finished:
        return erased
    now = ports.clock.now()
    finished_at = deletion.finished_at or now
    pause = LOOK_AGAIN
    if not erased.documents and not erased.files:
        pause = min(max(LOOK_AGAIN, now - finished_at), LONGEST_PAUSE)
    ports.deletions.finish(uid, finished_at=finished_at, look_at=now + pause)
    return erased.model_copy(update={"finished_at": finished_at})


def _pages(delete: Callable[[str | None], DeletedPage]) -> Iterator[DeletedPage]:
    page = delete(None)
    yield page
    while page.after is not None:
        page = delete(page.after)
        yield page


def _count(uid: str, ports: LeavingPorts, *, documents: int = 0, files: int = 0) -> None:
    if documents or files:
        ports.deletions.add(uid, documents=documents, files=files)
