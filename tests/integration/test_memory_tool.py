"""`python -m tools.memory` on the plain Firestore emulator."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from google.cloud import firestore
from typer.testing import CliRunner

from functions.services import services
from shared.model.thread import ThreadKey
from tests.integration.life import EACH, Life
from tools.memory.app import app

pytestmark = pytest.mark.firestore
Command = Callable[..., Any]


@pytest.fixture
def life(client: firestore.Client) -> Life:
    """Three generations of a thread, and its memory of now."""
    lived = Life(client, ThreadKey(uid=uuid4().hex, soul_id=f"sohee-{uuid4().hex[:8]}"))
    for generation in (1, 2, 3):
        lived.live_on(generation)
    return lived


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, firestore_host: str) -> Iterator[Command]:
    """The tool, as from a shell that leads to the emulator and names no project."""
    for name in ("GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_host)
    monkeypatch.setenv("COLUMNS", "160")
    yield lambda *words, typed="": CliRunner().invoke(app, [str(w) for w in words], input=typed)
    services.cache_clear()


def args(life: Life) -> tuple[str, str]:
    return life.key.uid, life.key.soul_id


def test_show_tells_slots_fence_counter_and_cycles(life: Life, run: Command) -> None:
    life.roll_back(1)
    shown = run("show", *args(life), "--lorebook")
    assert shown.exit_code == 0, shown.output
    for part in (
        "- 1번째 이야기를 이어 간다.",
        "24 messages, 264 tokens",
        "1 entries, 5 withdrawn",
        "to 1, asked by op",
        "[Messenger / DM / (시간 불명) / 기억 1]",
        "000003-002",
        "m00011 of",
    ):
        assert part in shown.stdout, part
    assert "000003-002" not in run("show", *args(life)).stdout


def test_diff_tells_what_came_and_went(life: Life, run: Command) -> None:
    life.roll_back(2)
    whole = run("diff", *args(life)).stdout
    assert whole.index("generation 4, rollback to generation 2") < whole.index("generation 3,")
    assert "+ - 3번째 이야기를 이어 간다." in whole
    assert "  - 별명: 필름" not in whole
    one = run("diff", *args(life), 3).stdout
    assert "- - 2번째 이야기를 이어 간다." in one
    assert "  - 별명: 필름" in one
    assert "generation 2," not in one


def test_rollback_asks_first_and_says_what_came_of_it(life: Life, run: Command) -> None:
    declined = run("rollback", *args(life), 1, typed="n\n")
    assert (declined.exit_code, "nothing was changed" in declined.stderr) == (1, True)
    assert life.slots() == life.after(3)
    done = run("rollback", *args(life), 1, "--operator", "미나", typed="y\n")
    assert done.exit_code == 0, done.output
    assert "emulator at" in done.stdout
    assert "from generation 3" in done.stdout
    assert life.slots() == life.after(1)
    cycle = life.memory.read_cycle(life.key, 4).cycle
    assert cycle is not None
    assert cycle.rollback is not None
    assert cycle.rollback.requested_by == "미나"


def test_the_same_request_is_the_same_rollback(life: Life, run: Command) -> None:
    words = ("rollback", *args(life), 1, "--yes", "--request-id", "r7")
    first, again = run(*words), run(*words)
    assert first.exit_code == again.exit_code == 0
    assert first.stdout == again.stdout
    assert life.memory.read_cycle(life.key, None).state.generation == 4


def test_a_cycle_that_is_due_is_left_on_record(life: Life, run: Command) -> None:
    run("rollback", *args(life), 0, "--yes")
    assert life.memory.read_cycle(life.key, 5).cycle is None
    life.roll_back(3, "r9")
    more = CliRunner().invoke(
        app, ["rollback", *args(life), "0", "--yes"], env={"CYCLE_TRIGGER_TOKENS": "100"}
    )
    assert more.exit_code == 0, more.output
    due = life.memory.read_cycle(life.key, None).cycle
    assert due is not None
    assert (due.kind, due.status) == ("summary", "queued")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rollback", "{uid}", "{soul}", 3, "--yes"), 2, "below the thread's present generation"),
        (("rollback", "{uid}", "none", 0, "--yes"), 1, "/threads/none does not exist in project"),
        (("show", "{uid}", "a/b"), 2, "soul_id is no legal document id"),
        (("show", "{uid}", "none"), 1, "check uid, soul and project"),
        (("diff", "{uid}", "{soul}", 9), 1, "generation 9 has no cycle: `show` lists"),
        (("diff", "{uid}", "none"), 1, "/threads/none does not exist"),
        (("recount", "{uid}", "none"), 1, "/threads/none does not exist"),
        (("export", "{uid}", "none"), 1, "/threads/none does not exist"),
        (("rollback", "{uid}", "{soul}", -1, "--yes"), 2, "-1"),
    ],
)
def test_an_error_says_what_is_missing(
    life: Life, run: Command, words: tuple[object, ...], code: int, said: str
) -> None:
    uid, soul = args(life)
    filled = [str(word).format(uid=uid, soul=soul) for word in words]
    failed = run(*filled)
    assert failed.exit_code == code, failed.output
    assert said in failed.stderr
    assert life.memory.read_cycle(life.key, None).state.generation == 3


def test_an_audit_that_is_missing_is_named(life: Life, run: Command) -> None:
    life.paths.cycle(life.key, "000002").delete()
    failed = run("rollback", *args(life), 2, "--yes")
    assert failed.exit_code == 1
    assert "cycles/000002 does not exist" in failed.stderr


def test_another_cycle_goes_first(life: Life, run: Command) -> None:
    lease = {"cycle_id": "000004", "token": "t", "expires_at": firestore.SERVER_TIMESTAMP}
    life.paths.state(life.key).update({"lease": lease})
    cycle = life.memory.read_cycle(life.key, 3).cycle
    assert cycle is not None
    queued = {"kind": "seed", "status": "queued", "requested_at": cycle.requested_at}
    life.paths.cycle(life.key, "000004").set(queued)
    failed = run("rollback", *args(life), 1, "--yes")
    assert failed.exit_code == 3
    assert "cycle 000004, a seed, is queued and goes first" in failed.stderr


def test_recount_says_what_it_changed(life: Life, run: Command) -> None:
    life.say(2)
    life.paths.counter(life.key).set({"pending_messages": 99, "pending_tokens": -5})
    changed = run("recount", *args(life)).stdout
    assert "99 → 2" in changed
    assert "-5 → 22" in changed
    assert life.threads.read_counter(life.key).pending_tokens == 22
    assert "was right: 2 messages, 22 tokens" in run("recount", *args(life)).stdout


def test_recount_makes_a_counter_that_is_gone(life: Life, run: Command) -> None:
    life.paths.counter(life.key).delete()
    life.roll_back(2)
    life.paths.counter(life.key).delete()
    assert f"0 → {EACH}" in run("recount", *args(life)).stdout
    assert life.threads.read_counter(life.key).pending_messages == EACH


def test_rebuild_index_makes_a_damaged_index_whole(life: Life, run: Command) -> None:
    whole = life.index()
    life.paths.shard(life.key, 0).set({"data": b"damaged"})
    done = run("rebuild-index", *args(life))
    assert "6 entries in 1 shards" in done.stdout
    assert life.index() == whole


def test_rebuild_index_does_not_drop_embeddings_unasked(life: Life, run: Command) -> None:
    life.paths.state(life.key).update({"embedding_shards": 1})
    refused = run("rebuild-index", *args(life))
    assert (refused.exit_code, "EMBEDDING_MODEL" in refused.stderr) == (1, True)
    assert run("rebuild-index", *args(life), "--drop-embeddings").exit_code == 0


def test_export_is_json_in_a_file_for_its_owner(life: Life, run: Command, tmp_path: Path) -> None:
    life.roll_back(1)
    path = tmp_path / "기억.json"
    assert run("export", *args(life), "--output", path).exit_code == 0
    written = json.loads(path.read_text("utf-8"))
    assert sorted(written["cycles"]) == [f"{n:06d}" for n in (1, 2, 3, 4, 5)]
    assert written["slots"]["recent_context"]["content"] == "- 1번째 이야기를 이어 간다."
    assert list(written["lorebook"]) == ["000001-000"]
    assert len(written["withdrawn_entries"]) == 5
    assert written["state"]["generation"] == 4
    assert path.stat().st_mode & 0o777 == 0o600
    again = run("export", *args(life), "--output", path)
    assert (again.exit_code, "--force" in again.stderr) == (1, True)
    assert run("export", *args(life), "--output", path, "--force").exit_code == 0
    assert json.loads(run("export", *args(life)).stdout) == written
