"""The table of access.yaml, and what an actor really can do at a path."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

import yaml

from tests.rules.rest import Client, Document, Emulator, Status

OPERATIONS = "glcud"
NOTHING = "....."

Claims: TypeAlias = Mapping[str, Any] | None

_TABLE: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("access.yaml").read_text(encoding="utf-8")
)
ACTORS: dict[str, Claims] = _TABLE["actors"]
CELLS: list[tuple[str, str, str]] = [
    (path, actor, allowed)
    for path, row in _TABLE["access"].items()
    for actor, allowed in zip(ACTORS, row, strict=True)
]
"""(path, actor, what the actor may do there), such as `("souls/{soul_id}", "owner", ".....")`."""


def observe_access(emulator: Emulator, pattern: str, actor: str) -> str:
    """Try every operation at a path of its own; answer in the table's notation."""
    uid = uuid4().hex
    path = re.sub(r"{\w+}", lambda _: uuid4().hex, pattern.replace("{uid}", uid))
    client = _client(emulator, actor, uid)
    document = _document(path)
    answers: dict[str, Status] = {"c": client.create(path, document)}
    assert emulator.backend().set(path, document) == "OK"  # the rest need it to be there
    answers["g"] = client.get(path)
    answers["l"] = client.list(path.rpartition("/")[0])
    edit = _TABLE["updates"].get(path.split("/")[-2])
    answers["u"] = client.update(path, edit) if edit else client.set(path, document)
    answers["d"] = client.delete(path)
    return "".join(name if answers[name] == "OK" else "." for name in OPERATIONS)


def _client(emulator: Emulator, actor: str, uid: str) -> Client:
    claims = ACTORS[actor]
    if claims is None:
        return emulator.nobody()
    uids = {"owner": uid, "other": uuid4().hex, None: None}
    others = {name: value for name, value in claims.items() if name != "as"}
    return emulator.user(uids[claims["as"]], others)


def _document(path: str) -> Document:
    documents: dict[str, Document] = _TABLE["documents"]
    collection = path.split("/")[-2]
    return documents.get(collection, documents["otherwise"])
