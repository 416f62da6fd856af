"""The rules' whole matrix as rows: who does what where, and every forged field and id."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from uuid import uuid4

from tests.rules.access import CELLS, NOTHING, OPERATIONS, observe_access
from tests.rules.cases import load_documents, load_edits, load_ids, of_user, valid_document
from tests.rules.rest import Document, Emulator, Status


@dataclass(frozen=True, slots=True)
class Probe:
    """Some rows that are tried together: `try_it` answers, by row, whether it was let through."""

    expected: dict[str, bool]
    try_it: Callable[[Emulator], dict[str, bool]]


def probes() -> list[Probe]:
    """Every row: forged documents and ids first, since they are quick."""
    return [*_forged(), *(_cell(*cell) for cell in CELLS)]


def opened(every: Iterable[Probe]) -> list[Probe]:
    """The probes of paths that somebody is let into: what a loosened line can change."""
    paths = {path for path, _, allowed in CELLS if allowed != NOTHING}
    closed = {path for path, _, _ in CELLS} - paths
    return [
        probe for probe in every if not any(next(iter(probe.expected)).endswith(f" {path}")
        for path in closed)
    ]  # fmt: skip


def _cell(path: str, actor: str, allowed: str) -> Probe:
    def rows(seen: str) -> dict[str, bool]:
        return {f"{actor} {one} {path}": one in seen for one in OPERATIONS}

    return Probe(rows(allowed), lambda emulator: rows(observe_access(emulator, path, actor)))


def _forged() -> Iterator[Probe]:
    threads, messages = load_documents("threads.yaml"), load_documents("messages.yaml")
    thread, message = valid_document("threads.yaml"), valid_document("messages.yaml")
    for case, (document, status) in threads.items():
        yield _creation(f"thread with {case}", "threads/{}", document, status)
    for case, (document, status) in messages.items():
        yield _creation(f"message with {case}", "threads/s/messages/{}", document, status)
    for case, (stored, changes, status) in load_edits().items():
        yield _edit(f"message edited: {case}", stored, changes, status)
    for case, (text, status) in load_ids().items():
        yield _creation(f"thread id: {case}", f"threads/{text}", thread, status)
        yield _creation(f"message id: {case}", f"threads/s/messages/{text}", message, status)
        yield _creation(f"message under {case}", f"threads/{text}/messages/m", message, status)


def _edit(row: str, stored: Document, changes: Document, status: Status) -> Probe:
    def edit(emulator: Emulator) -> dict[str, bool]:
        uid = uuid4().hex
        path = f"users/{uid}/threads/s/messages/{uuid4().hex}"
        assert emulator.backend().set(path, of_user(stored, uid)) == "OK"
        return {row: emulator.user(uid).update(path, of_user(changes, uid)) == "OK"}

    return Probe({row: status == "OK"}, edit)


def _creation(row: str, path: str, document: Document, status: Status) -> Probe:
    def create(emulator: Emulator) -> dict[str, bool]:
        uid = uuid4().hex
        whole = f"users/{uid}/{path.replace('{}', uuid4().hex)}"
        return {row: emulator.user(uid).create(whole, of_user(document, uid)) == "OK"}

    return Probe({row: status == "OK"}, create)
