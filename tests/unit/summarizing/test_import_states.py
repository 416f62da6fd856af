"""How an import comes onto the record, and how it leaves it."""

import pytest

from shared.model.cycle import CycleKind, CycleStatus
from shared.model.memory_import import ImportRequest
from shared.summarizing import states
from tests.factories import NOW
from tests.unit.summarizing.test_states import lease, read

REQUEST = ImportRequest(request_id="r1")


def test_an_import_is_the_next_generation() -> None:
    change = states.ask_for_import(read(None, generation=4), request=REQUEST, now=NOW)
    assert change is not None
    assert (change.cycle.cycle_id, change.cycle.kind) == ("000005", "import")
    assert change.cycle.import_request == REQUEST


@pytest.mark.parametrize("kind", ["summary", "import"])
def test_it_takes_over_what_has_not_begun(kind: CycleKind) -> None:
    found = read("queued", kind=kind, requests=3)
    change = states.ask_for_import(found, request=REQUEST, now=NOW)
    assert change is not None
    assert (change.cycle.kind, change.cycle.status) == ("import", "queued")
    assert (change.cycle.requests, change.cycle.import_request) == (4, REQUEST)


@pytest.mark.parametrize("status", ["rejected", "blocked"])
def test_it_takes_over_what_was_given_up(status: CycleStatus) -> None:
    change = states.ask_for_import(read(status), request=REQUEST, now=NOW)
    assert change is not None
    assert (change.cycle.kind, change.cycle.status) == ("import", "queued")


@pytest.mark.parametrize("status", ["claimed", "generated", "waiting"])
@pytest.mark.parametrize("kind", ["summary", "seed", "import"])
def test_it_waits_for_what_has_begun(kind: CycleKind, status: CycleStatus) -> None:
    assert states.ask_for_import(read(status, kind=kind), request=REQUEST, now=NOW) is None


def test_it_waits_for_a_seed_that_was_asked_for() -> None:
    assert states.ask_for_import(read("queued", kind="seed"), request=REQUEST, now=NOW) is None


def test_a_seed_does_not_take_over_an_import() -> None:
    assert states.ask_for_seed(read("queued", kind="import"), now=NOW) is None


def test_a_summary_that_is_asked_for_in_its_place_forgets_the_request() -> None:
    found = read("rejected", kind="import", import_request=REQUEST)
    change = states.ask(found, kind="summary", now=NOW)
    assert change is not None
    assert (change.cycle.kind, change.cycle.import_request) == ("summary", None)
    again = states.ask(found, kind="import", now=NOW)
    assert again is not None
    assert again.cycle.import_request == REQUEST


def test_finding_nothing_frees_the_place_and_the_lease() -> None:
    found = read("claimed", kind="import", lease=lease(60), lease_token="t0")
    change = states.find_nothing(found)
    assert change.state is not None
    assert (change.cycle.status, change.cycle.failure) == ("rejected", None)
    assert (change.state.lease, change.cycle.rejections) == (None, ())
