"""What is on record of imports, and what is left of deleted plays, on the emulator."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from google.api_core.exceptions import FailedPrecondition
from google.cloud import firestore

from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.play_parts import FirestorePlayParts
from functions.adapters.firestore.plays import FirestorePlays
from shared.errors import StaleClaimError
from shared.importing.unread_plays import LOOKED_BACK, choose_unread
from shared.model.memory_import import (
    ImportAnswer,
    ImportRequest,
    LiveImport,
    PlayRead,
    PlaysRead,
)
from shared.model.thread import ThreadKey
from shared.ports import HeldImport
from shared.summarizing import states
from tests.bench.operations import counted
from tests.factories import NOW, play

pytestmark = pytest.mark.firestore

ANSWER = ImportAnswer(
    request_id="r0",
    cycle_id="000002",
    episode_play_ids=(
        "p.1",
        "밤",
    ),
)
LIVE = LiveImport(status="running", request_id="r1", requested_at=NOW, answered=(ANSWER,))


def test_a_live_import_comes_back_as_it_was(memory: FirestoreMemory, key: ThreadKey) -> None:
    assert memory.read_import(key) is None
    memory.write_import(key, HeldImport(live=LIVE))
    held = memory.read_import(key)
    assert held is not None
    assert held.live == LIVE
    ended = held.live.ended(ImportAnswer(request_id="r1"))
    memory.write_import(key, held.model_copy(update={"live": ended}))
    again = memory.read_import(key)
    assert again is not None
    assert again.live == ended


def test_of_two_that_begin_at_once_one_is_refused(memory: FirestoreMemory, key: ThreadKey) -> None:
    memory.write_import(key, HeldImport(live=LIVE))
    with pytest.raises(StaleClaimError):
        memory.write_import(key, HeldImport(live=LIVE.model_copy(update={"request_id": "r2"})))
    held = memory.read_import(key)
    assert held is not None
    memory.write_import(key, held.model_copy(update={"live": LIVE.failed("retry")}))
    with pytest.raises(StaleClaimError):
        memory.write_import(key, held)


def test_a_write_whose_answer_is_lost_is_believed_when_read_back(
    memory: FirestoreMemory, key: ThreadKey, commits_sent_twice: Callable[[], None]
) -> None:
    commits_sent_twice()
    memory.write_import(key, HeldImport(live=LIVE))
    held = memory.read_import(key)
    assert held is not None
    assert held.live == LIVE


def test_a_cycle_and_what_the_thread_shows_of_it_are_one_commit(
    memory: FirestoreMemory, key: ThreadKey
) -> None:
    read = memory.read_cycle(key, None)
    request = ImportRequest(request_id="r1", charge_id="star-7")
    change = states.ask_for_import(read, request=request, now=NOW)
    assert change is not None
    change = change.model_copy(update={"live_import": HeldImport(live=LIVE)})
    stored = memory.commit(key, read, change)
    assert stored.cycle is not None
    assert memory.read_cycle(key, 1) == stored
    assert stored.cycle.import_request == request
    # Another begins over the version that is gone: neither of the two is written.
    again = states.ask_for_import(stored, request=ImportRequest(request_id="r2"), now=NOW)
    assert again is not None
    with pytest.raises(StaleClaimError):
        memory.commit(key, stored, again.model_copy(update={"live_import": HeldImport(live=LIVE)}))
    kept = memory.read_cycle(key, 1).cycle
    assert kept is not None
    assert kept.import_request == request


def test_what_memory_has_read_comes_back_as_it_was(memory: FirestoreMemory, key: ThreadKey) -> None:
    assert memory.read_plays_read(key) is None
    names = ("p1", "p.2/", "`밤`")
    read = PlaysRead(
        plays={name: PlayRead(last_played_at=NOW, last_summary=3) for name in names},
        until=NOW - timedelta(days=1),
    )
    cycle = memory.read_cycle(key, None)
    change = states.ask(cycle, kind="summary", now=NOW)
    assert change is not None
    memory.commit(key, cycle, change.model_copy(update={"plays_read": read}))
    assert memory.read_plays_read(key) == read


def test_only_applied_seeds_count(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    cycles = Paths(client).cycles(key)
    for number, (kind, status) in enumerate(
        [("seed", "rejected"), ("seed", "applied"), ("summary", "applied")], start=1
    ):
        body = {"kind": kind, "status": status, "requested_at": NOW, "episode_play_ids": ["p1"]}
        cycles.document(f"{number:06d}").set(body)
    (found,) = memory.applied_seeds(key)
    assert (found.cycle_id, found.episode_play_ids) == ("000002", ("p1",))


def test_imports_that_wait_are_found_in_pages(client: firestore.Client) -> None:
    own = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    memory, look = FirestoreMemory(own), FirestoreIrregularities(own)
    for number in range(5):
        since = NOW + timedelta(minutes=number) if number != 1 else None
        live = LIVE.model_copy(update={"waiting_since": since})
        memory.write_import(ThreadKey(uid=f"u{number}", soul_id="sohee"), HeldImport(live=live))
    before = NOW + timedelta(minutes=3)
    first = look.waiting_imports(before, after=None, limit=2)
    assert [key.uid for key in first.items] == ["u0", "u2"]
    rest = look.waiting_imports(before, after=first.after, limit=2)
    assert [key.uid for key in rest.items] == ["u3"]
    assert rest.after is None


def written(
    client: firestore.Client,
    uid: str,
    play_id: str,
    name: str,
    count: int,
    *,
    text: str = "둘이 달렸다.",
) -> datetime:
    """Parts of a play, with a time at which all of them are stored."""
    parts = Paths(client).plays(uid).document(play_id).collection(name)
    batch = client.batch()
    for index in range(count):
        batch.set(parts.document(f"{index:03d}"), {"index": index, "text": text})
    result: Any = batch.commit()
    time: datetime = result[-1].update_time
    return time


def left(client: firestore.Client, uid: str, play_id: str) -> int:
    play = Paths(client).plays(uid).document(play_id)
    return sum(len(list(play.collection(name).stream())) for name in ("summaries", "scenes"))


def test_the_last_summary_of_a_play(client: firestore.Client, key: ThreadKey) -> None:
    plays = FirestorePlays(client)
    assert plays.last_summary(key.uid, "p1") == -1
    written(client, key.uid, "p1", "summaries", 12)
    assert plays.last_summary(key.uid, "p1") == 11


def test_what_is_left_of_a_play_goes_page_by_page(client: firestore.Client, key: ThreadKey) -> None:
    parts = FirestorePlayParts(client)
    written(client, key.uid, "p1", "summaries", 5)
    until = written(client, key.uid, "p1", "scenes", 4)
    written(client, key.uid, "p2", "scenes", 2)
    gone = [parts.delete_parts(key.uid, "p1", until=until, limit=6) for _ in range(3)]
    assert gone == [6, 3, 0]
    assert (left(client, key.uid, "p1"), left(client, key.uid, "p2")) == (0, 2)


def test_whether_a_play_is_there_again(client: firestore.Client, key: ThreadKey) -> None:
    parts = FirestorePlayParts(client)
    written(client, key.uid, "p1", "summaries", 1)
    assert not parts.is_there(key.uid, "p1")
    Paths(client).plays(key.uid).document("p1").set({"episode_id": "e1"})
    assert parts.is_there(key.uid, "p1")


def test_what_was_written_after_the_deletion_stays(
    client: firestore.Client, key: ThreadKey
) -> None:
    parts = FirestorePlayParts(client)
    until = written(client, key.uid, "p1", "summaries", 3)
    written(client, key.uid, "p1", "summaries", 1, text="둘이 걸었다.")
    written(client, key.uid, "p1", "scenes", 2)
    assert parts.delete_parts(key.uid, "p1", until=until, limit=300) == 2
    assert left(client, key.uid, "p1") == 3


def test_a_part_that_is_written_meanwhile_is_not_deleted(
    client: firestore.Client, key: ThreadKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = FirestorePlayParts(client)
    until = written(client, key.uid, "p1", "summaries", 3)
    commit = firestore.WriteBatch.commit

    def late(batch: Any, *args: Any, **kwargs: Any) -> Any:
        monkeypatch.setattr(firestore.WriteBatch, "commit", commit)
        written(client, key.uid, "p1", "summaries", 1, text="둘이 걸었다.")
        return commit(batch, *args, **kwargs)

    monkeypatch.setattr(firestore.WriteBatch, "commit", late)
    with pytest.raises(FailedPrecondition):
        parts.delete_parts(key.uid, "p1", until=until, limit=300)
    assert left(client, key.uid, "p1") == 3
    assert parts.delete_parts(key.uid, "p1", until=until, limit=300) == 2


def test_what_a_look_for_unread_plays_costs(
    client: firestore.Client, memory: FirestoreMemory, key: ThreadKey
) -> None:
    """The plays themselves, the record, and the last summary of the twenty played last."""
    plays = Paths(client).plays(key.uid)
    for number in range(30):
        one = play(f"p{number}", episode_id=f"e{number}", last_played_at=NOW)
        plays.document(one.play_id).set(one.model_dump(exclude={"play_id"}))
        written(client, key.uid, one.play_id, "summaries", 3)
    read = {f"p{number}": PlayRead(last_played_at=NOW, last_summary=2) for number in range(30)}
    cycle = memory.read_cycle(key, None)
    change = states.ask(cycle, kind="summary", now=NOW)
    assert change is not None
    record = PlaysRead(plays=read)
    memory.commit(key, cycle, change.model_copy(update={"plays_read": record}))
    with counted() as operations:
        chosen, _ = choose_unread(key, ["sohee"], memory=memory, plays=FirestorePlays(client))
    assert chosen == []
    assert operations.reads <= 30 + 1 + LOOKED_BACK
