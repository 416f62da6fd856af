"""What callers send to an import, and what its event says."""

import json
from io import StringIO

import pytest

from functions.adapters.event_log import JsonEventLog
from functions.payloads import ImportPayload, read_payload
from shared.errors import InvalidArgumentError
from shared.events import SeedDmMemoryFromEpisode

ASKED = {"soul_id": "sohee", "request_id": "r1"}


def test_a_charge_is_optional() -> None:
    assert read_payload(ImportPayload, ASKED).charge_id is None
    charged = read_payload(ImportPayload, {**ASKED, "charge_id": "star:2026-05-28_7.a"})
    assert charged.charge_id == "star:2026-05-28_7.a"


@pytest.mark.parametrize("charge_id", ["", "별 세 개", "a b", "x" * 129, "star\n7", 7])
def test_a_charges_id_is_no_text(charge_id: object) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        read_payload(ImportPayload, {**ASKED, "charge_id": charge_id})
    assert refused.value.field == "charge_id"
    assert str(charge_id) not in str(refused.value) or charge_id in {"", 7}


@pytest.mark.parametrize("field", sorted(ASKED))
def test_soul_and_request_must_be_named(field: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        read_payload(ImportPayload, {name: one for name, one in ASKED.items() if name != field})
    assert refused.value.field == field


@pytest.mark.parametrize("charge_id", [None, "star-7"])
def test_only_an_event_that_was_charged_names_a_charge(charge_id: str | None) -> None:
    stream = StringIO()
    JsonEventLog(stream).emit(
        SeedDmMemoryFromEpisode(
            thread_id="sohee",
            soul_id="sohee",
            episode_play_ids=("p1",),
            source="thread_start",
            patch_size=3,
            charge_id=charge_id,
        )
    )
    line = json.loads(stream.getvalue())
    assert line.get("charge_id") == charge_id
    assert ("charge_id" in line) == (charge_id is not None)
