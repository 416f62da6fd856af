"""Reads the case tables: what a client writes, and whether the rules let it in."""

from pathlib import Path
from typing import Any

import yaml

from tests.rules.rest import Document, Status

_MISSING = "$missing"
_REPEAT = "$repeat"
_OUTCOMES: tuple[tuple[str, Status], ...] = (("accepted", "OK"), ("refused", "PERMISSION_DENIED"))


def load_documents(name: str) -> dict[str, tuple[Document, Status]]:
    """Case name → (document, expected status), from a table with a valid document."""
    table = _load(name)
    return {
        case: (_change(table["valid"], changes), status)
        for outcome, status in _OUTCOMES
        for case, changes in table[outcome].items()
    }


def load_edits() -> dict[str, tuple[Document, Document, Status]]:
    """Case name → (the message as stored, the update, expected status)."""
    table = _load("edits.yaml")
    return {
        case: (
            _change(table["stored"], edit.get("stored", {})),
            _change({}, edit["changes"]),
            status,
        )
        for outcome, status in _OUTCOMES
        for case, edit in table[outcome].items()
    }


def load_ids() -> dict[str, tuple[str, Status]]:
    """Case name → (id, expected status)."""
    table = _load("ids.yaml")
    return {
        case: (_spell_out(value), status)
        for outcome, status in _OUTCOMES
        for case, value in table[outcome].items()
    }


def of_user(document: Document, uid: str) -> Document:
    """The document with `{uid}` in its maps spelt out: no table knows who will write it."""
    return {
        name: {key: _named(one, uid) for key, one in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in document.items()
    }


def valid_document(name: str) -> Document:
    return _change(_load(name)["valid"], {})


def _load(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def _change(valid: Document, changes: Document) -> Document:
    return {
        name: _spell_out(value) for name, value in {**valid, **changes}.items() if value != _MISSING
    }


def _spell_out(value: Any) -> Any:
    if isinstance(value, dict) and _REPEAT in value:
        text, times = value[_REPEAT]
        return text * times
    return value


def _named(value: Any, uid: str) -> Any:
    return value.replace("{uid}", uid) if isinstance(value, str) else value
