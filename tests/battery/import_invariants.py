"""What must hold of a thread's imports, whatever the platform did. Pure, as all invariants."""

from collections import Counter
from collections.abc import Iterator

from shared.model.cycle import Cycle
from tests.battery.stored import StoredThread


def imports_of(stored: StoredThread) -> Iterator[str]:
    """No request and no summary of a play twice; Recent context untouched; all of it on record."""
    readers = [one for one in stored.applied if one.kind in {"seed", "import"}]
    requests = Counter(
        one.import_request.request_id
        for one in readers
        if one.kind == "import" and one.import_request
    )
    for request_id, times in requests.items():
        if times > 1:
            yield f"request {request_id} was applied {times} times"
    standing = [one for one in stored.standing if one.kind in {"seed", "import"}]
    sources = Counter(source for one in standing for source in one.episode_sources)
    twice = sorted(source for source, times in sources.items() if times > 1)
    if twice:
        yield f"{twice} were read by more than one cycle"
    for one in readers:
        if one.before and one.after and one.before.recent_context != one.after.recent_context:
            yield f"{one.kind} {one.cycle_id} wrote Recent context"
    unrecorded = {play for one in standing for play in one.plays_read} - set(
        stored.plays_read.plays
    )
    if unrecorded:
        yield f"{sorted(unrecorded)} were read and are not on record"
    yield from _answers(stored, readers)
    yield from _live(stored)


def _answers(stored: StoredThread, readers: list[Cycle]) -> Iterator[str]:
    """The app is told of an import if and only if it was applied."""
    told = stored.live_import.answered if stored.live_import else ()
    answered = {one.cycle_id: one.request_id for one in told if one.cycle_id}
    applied = {
        one.cycle_id: one.import_request and one.import_request.request_id
        for one in readers
        if one.kind == "import"
    }
    if answered != applied:
        yield f"the app was told of {answered}, applied are {applied}"


def _live(stored: StoredThread) -> Iterator[str]:
    """What says that it is under way is on record, or waits behind what is."""
    live = stored.live_import
    if live is None or live.status != "running" or live.waiting_since is not None:
        return
    open_ones = [one for one in stored.cycles.values() if one.status not in {"applied", "rejected"}]
    if not any(one.import_request == live.request for one in open_ones):
        yield f"request {live.request_id} says that it is running, and nobody is at it"
