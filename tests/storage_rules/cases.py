"""The matrix of matrix.yaml, and what an actor really can do with a file."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml

from tests.storage_rules.rest import Client, Status, Storage

OPERATIONS = "cogduxl"
_TABLE: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("matrix.yaml").read_text(encoding="utf-8")
)
CELLS: list[tuple[str, str, str]] = [
    (path, actor, allowed)
    for path, row in _TABLE["access"].items()
    for actor, allowed in zip(_TABLE["actors"], row, strict=True)
]
"""(path, actor, what the actor may do there)."""

FILES: dict[str, tuple[dict[str, Any], bool]] = {
    case: ({**_TABLE["valid"], **changes}, outcome == "accepted")
    for outcome in ("accepted", "refused")
    for case, changes in _TABLE[outcome].items()
}
"""Case name → (a file that the owner puts in, whether the rules let it in)."""


def observe_access(storage: Storage, pattern: str, actor: str) -> str:
    """Try every operation at a path of its own; answer in the table's notation."""
    uid = uuid4().hex
    path = re.sub(r"{\w+}", lambda _: uuid4().hex, pattern.replace("{uid}", uid))
    client, answers = _client(storage, actor, uid), dict[str, Status]()
    answers["c"] = client.upload(path)
    assert storage.backend().upload(path) == "OK"  # the rest need it to be there
    answers["o"] = client.upload(path)
    answers["g"], answers["d"] = client.get(path), client.download(path)
    answers["u"] = client.update(path)
    answers["l"] = client.list(path.rpartition("/")[0] + "/")
    answers["x"] = client.delete(path)
    return "".join(name if answers[name] == "OK" else "." for name in OPERATIONS)


def is_let_in(storage: Storage, file: dict[str, Any]) -> bool:
    """Whether an owner may put this file in."""
    uid = uuid4().hex
    name = "a" * file["name_length"] if "name_length" in file else file["name"]
    path = f"users/{uid}/images/{name}"
    return storage.user(uid).upload(path, file["content_type"], file["size"]) == "OK"


def differences(storage: Storage) -> Iterator[str]:
    """The rows that the rules in force answer otherwise than is written."""
    for case, (file, accepted) in FILES.items():
        if is_let_in(storage, file) != accepted:
            yield case
    for path, actor, allowed in CELLS:
        seen = observe_access(storage, path, actor)
        for operation in OPERATIONS:
            if (operation in seen) != (operation in allowed):
                yield f"{actor} {operation} {path}"


def rows() -> set[str]:
    """Every row by its name."""
    access = {f"{actor} {one} {path}" for path, actor, _ in CELLS for one in OPERATIONS}
    return {*FILES, *access}


def _client(storage: Storage, actor: str, uid: str) -> Client:
    claims = _TABLE["actors"][actor]
    if claims is None:
        return storage.nobody()
    uids = {"owner": uid, "other": uuid4().hex, None: None}
    others = {name: value for name, value in claims.items() if name != "as"}
    return storage.user(uids[claims["as"]], others)
