"""Retention on the emulator: written in commits that are made anyway, and found across threads."""

import json
import subprocess
from datetime import timedelta
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.cycle import Failure
from shared.model.thread import ThreadKey
from shared.ports import Counted
from shared.summarizing import states
from tests.bench.operations import counted
from tests.factories import NOW, message
from tests.integration.test_memory import applied, ask, claim
from tests.integration.test_threads import messages_of, write
from tests.unit.summarizing.test_states import CONSUMED, OUTPUT
from tools.toolchain import FIREBASE_TOOLS, ROOT

pytestmark = pytest.mark.firestore

EXPIRY = NOW + timedelta(days=30)
VALIDATE = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const { FirestoreApi } = createRequire(import.meta.url)(process.argv[1]);
new FirestoreApi().validateSpec(JSON.parse(readFileSync(process.argv[2], "utf8")));
console.log("valid");
"""


def since(client: firestore.Client, key: ThreadKey) -> object:
    return (Paths(client).counter(key).get().to_dict() or {}).get("pending_since")


def test_a_message_gets_its_expiry_in_the_commit_that_counts_it(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    threads.count_tokens(key, write(client, key, message(1)), 3)  # a first one costs a read more
    one = write(client, key, message(0, "강릉 바다 보고 싶다"))
    with counted() as operations:
        told = threads.count_tokens(key, one, 7, expires_at=EXPIRY)
    assert (operations.reads, operations.writes) == (0, 2)
    assert told == Counted(newly=True, counter=threads.read_counter(key))
    found = threads.latest_messages(key, None, limit=9)[0]
    assert (found.token_count, found.expires_at) == (7, EXPIRY)


def test_without_a_retention_no_field_is_written(
    client: firestore.Client, threads: FirestoreThreads, key: ThreadKey
) -> None:
    threads.count_tokens(key, write(client, key, message(0)), 7)
    assert "expires_at" not in (messages_of(client, key).document("m00000").get().to_dict() or {})


def test_the_counter_knows_since_when_a_message_is_pending(
    client: firestore.Client, memory: FirestoreMemory, threads: FirestoreThreads, key: ThreadKey
) -> None:
    for number in (5, 3, 9):
        threads.count_tokens(key, write(client, key, message(number)), 7)
    assert since(client, key) == int(message(3).created_at.timestamp())
    read = claim(memory, key, ask(memory, key), "t1")
    read = memory.commit(key, read, states.keep_output(read, output=OUTPUT, consumed=CONSUMED))
    memory.commit(key, read, applied(read))
    assert since(client, key) == int(CONSUMED.last.created_at.timestamp())


def test_an_audit_is_stored_with_its_expiry(memory: FirestoreMemory, key: ThreadKey) -> None:
    read = claim(memory, key, ask(memory, key), "t1")
    change = states.reject(read, failure=Failure(failure_class="format", reason="no sections"))
    ended = change.cycle.model_copy(update={"expires_at": EXPIRY})
    memory.commit(key, read, change.model_copy(update={"cycle": ended}))
    stored = memory.read_cycle(key, 1).cycle
    assert stored is not None
    assert (stored.status, stored.expires_at) == ("rejected", EXPIRY)


def test_threads_with_old_pending_messages_in_pages(client: firestore.Client) -> None:
    own = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    look, paths, threads = FirestoreIrregularities(own), Paths(own), FirestoreThreads(own)
    keys = [ThreadKey(uid=f"u{number}", soul_id="sohee") for number in range(6)]
    for number, key in enumerate(keys):
        threads.count_tokens(key, write(own, key, message(number // 2)), 7)
    paths.counter(keys[1]).update({"pending_messages": 0})
    before = message(1).created_at
    first = look.unremembered_threads(before, after=None, limit=2)
    assert [one.thread.uid for one in first.items] == ["u0", "u2"]
    rest = look.unremembered_threads(before, after=first.after, limit=2)
    assert [one.thread.uid for one in rest.items] == ["u3"]
    assert rest.after is None
    look.correct(first.items[0], message(2).created_at)
    look.correct(first.items[1], None)
    left = look.unremembered_threads(before, after=None, limit=9)
    assert [one.thread.uid for one in left.items] == ["u3"]


def test_a_counter_that_has_moved_is_not_corrected(client: firestore.Client) -> None:
    own = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    look, threads = FirestoreIrregularities(own), FirestoreThreads(own)
    key = ThreadKey(uid="u0", soul_id="sohee")
    threads.count_tokens(key, write(own, key, message(0)), 7)
    (found,) = look.unremembered_threads(NOW, after=None, limit=9).items
    threads.count_tokens(key, write(own, key, message(1)), 7)
    look.correct(found, None)
    assert since(own, key) == int(message(0).created_at.timestamp())


def test_the_index_file_is_one_that_the_cli_deploys() -> None:
    """firebase-tools' own check, which a deployment runs; the emulators ignore the file's sense."""
    api = FIREBASE_TOOLS / "lib" / "firestore" / "api.js"
    program = ["node", "--input-type=module", "--eval", VALIDATE]
    file = ROOT / "firestore.indexes.json"
    done = subprocess.run(
        [*program, str(api), str(file)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr.strip()) == ("valid", "")
    overrides = json.loads(file.read_text(encoding="utf-8"))["fieldOverrides"]
    expiring = {one["collectionGroup"]: one for one in overrides if one.get("ttl")}
    assert set(expiring) == {"messages", "cycles"}
    # An index on a rising time has a limit of about 500 writes a second.
    assert all(one["fieldPath"] == "expires_at" for one in expiring.values())
    assert all(one["indexes"] == [] for one in expiring.values())
