"""Ids are checked before they become part of a path."""

import pytest

from functions.payloads import ComposePayload, read_payload
from shared.errors import InvalidArgumentError
from shared.model.ids import document_id_problem


@pytest.mark.parametrize("legal", ["a", "yun_haeon", "소희", "a b", "x" * 1500, "_a_", "...", "💿"])
def test_legal(legal: str) -> None:
    assert document_id_problem(legal) is None


@pytest.mark.parametrize(
    "illegal", ["", ".", "..", "a/b", "__x__", "____", "x" * 1501, "가" * 501, "\ud83d"]
)
def test_illegal(illegal: str) -> None:
    assert document_id_problem(illegal)
    with pytest.raises(InvalidArgumentError) as refused:
        read_payload(ComposePayload, {"soul_id": illegal})
    assert refused.value.field == "soul_id"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (None, "data"),
        ("sohee", "data"),
        ([], "data"),
        ({}, "soul_id"),
        ({"soul_id": 3}, "soul_id"),
        ({"soul_id": None}, "soul_id"),
        ({"soul_id": "sohee", "uid": "somebody else"}, "uid"),
    ],
)
def test_a_payload_that_does_not_fit_names_its_field(data: object, field: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        read_payload(ComposePayload, data)
    assert refused.value.field == field
    assert "somebody" not in str(refused.value)
