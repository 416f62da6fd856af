"""The audits of everybody's last days, on the emulator."""

from datetime import timedelta
from uuid import uuid4

import pytest
from google.cloud import firestore

from functions.adapters.firestore.codec import encode
from functions.adapters.firestore.paths import Paths
from shared.model.thread import ThreadKey
from tests.factories import NOW
from tests.unit.tools.test_compare_prompts import cycle, output
from tools.compare_prompts import compare, read_cycles

pytestmark = pytest.mark.firestore


def test_ended_cycles_of_the_last_days_are_compared(client: firestore.Client) -> None:
    own = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    cycles = [cycle("applied", output("v5")), cycle("applied", output("v6"))]
    cycles += [cycle("generated", output("v6")), cycle("applied", output("v4"))]
    for number, one in enumerate(cycles):
        moved = NOW - timedelta(days=number * 2)
        body = encode(one.model_copy(update={"moved_at": moved}), "cycle_id")
        key = ThreadKey(uid=f"사용자{number}", soul_id="sohee")
        Paths(own).cycle(key, "000001").set(body)
    Paths(own).cycle(ThreadKey(uid="남의것", soul_id="s"), "000002").set(
        {"status": "applied", "moved_at": NOW, "kind": "?"}
    )
    found = compare(read_cycles(own, NOW - timedelta(days=5)))
    assert [side[0] for side in found] == ["chat_summary v5", "chat_summary v6"]
    assert [one.applied for one in found.values()] == [1, 1]
