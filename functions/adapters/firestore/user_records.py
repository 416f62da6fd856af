"""The `UserRecords` port: all that is kept of one user, a page at a time."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.timeouts import READ_SECONDS, bounded
from shared.errors import DocumentMisshapenError
from shared.exporting.export_ports import Amiss, BudgetDay, LiveDocument
from shared.model.cycle import Cycle
from shared.model.lorebook import LorebookEntry
from shared.model.memory_import import LiveImport
from shared.model.play import Play, PlaySummary, Scene
from shared.model.reply import LiveReply
from shared.model.slots import SLOT_NAMES, Slot, SlotName
from shared.model.thread import Message, Thread, ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client, CollectionReference, DocumentSnapshot

# How many documents are held at once, by how large one may be: a message has at most 4,000
# characters, a cycle's audit or a scene up to a megabyte.
MESSAGES = 1_000
PAGE = 100
LARGE = 20
LIVE: dict[str, type[LiveDocument]] = {"reply": LiveReply, "import": LiveImport}
M = TypeVar("M", bound=BaseModel)


class FirestoreUserRecords:
    """Everything under `users/{uid}` that an export is made of, as it is stored."""

    def __init__(self, client: "Client") -> None:
        self._paths = Paths(client)

    def soul_ids(self, uid: str) -> Iterator[str]:
        threads = self._paths.threads(uid)
        for one in threads.list_documents(page_size=PAGE, **bounded(READ_SECONDS)):
            yield one.id

    def thread(self, key: ThreadKey, amiss: Amiss) -> Thread:
        found = self._paths.thread(key).get(**bounded(READ_SECONDS))
        return _read(Thread, found, amiss) or Thread()

    def messages(self, key: ThreadKey, amiss: Amiss) -> Iterator[Message]:
        for one in _each(self._paths.messages(key), "created_at", page=MESSAGES):
            if message := _read(Message, one, amiss, message_id=one.id):
                yield message

    def slots(self, key: ThreadKey, amiss: Amiss) -> Mapping[SlotName, Slot]:
        stored = {one.id: one for one in _each(self._paths.under(key, "slots"), page=PAGE)}
        return {
            name: slot
            for name in SLOT_NAMES
            if name in stored and (slot := _read(Slot, stored[name], amiss))
        }

    def lorebook(self, key: ThreadKey, amiss: Amiss) -> Iterator[LorebookEntry]:
        return _models(LorebookEntry, self._paths.lorebook(key), amiss, page=PAGE)

    def withdrawn_entries(self, key: ThreadKey, amiss: Amiss) -> Iterator[LorebookEntry]:
        entries = self._paths.under(key, "withdrawn_entries")
        return _models(LorebookEntry, entries, amiss, page=PAGE)

    def cycles(self, key: ThreadKey, amiss: Amiss) -> Iterator[Cycle]:
        for one in _each(self._paths.cycles(key), page=LARGE):
            if cycle := _read(Cycle, one, amiss, cycle_id=one.id):
                yield cycle

    def live(self, key: ThreadKey, amiss: Amiss) -> Mapping[str, LiveDocument]:
        found: dict[str, LiveDocument] = {}
        for one in _each(self._paths.under(key, "live"), page=PAGE):
            if live := _read(LIVE.get(one.id, LiveReply), one, amiss):
                found[one.id] = live
        return found

    def plays(self, uid: str, amiss: Amiss) -> Iterator[Play]:
        for one in _each(self._paths.plays(uid), page=PAGE):
            if play := _read(Play, one, amiss, play_id=one.id):
                yield play

    def summaries(self, uid: str, play_id: str, amiss: Amiss) -> Iterator[PlaySummary]:
        parts = self._paths.plays(uid).document(play_id).collection("summaries")
        return _models(PlaySummary, parts, amiss, "index", page=LARGE)

    def scenes(self, uid: str, play_id: str, amiss: Amiss) -> Iterator[Scene]:
        parts = self._paths.plays(uid).document(play_id).collection("scenes")
        return _models(Scene, parts, amiss, "index", page=LARGE)

    def budgets(self, uid: str, amiss: Amiss) -> Iterator[BudgetDay]:
        for one in _each(self._paths.budgets(uid), page=PAGE):
            if day := _read(BudgetDay, one, amiss, day=one.id):
                yield day


def _models(
    model: type[M], collection: "CollectionReference", amiss: Amiss, *order: str, page: int
) -> Iterator[M]:
    for one in _each(collection, *order, page=page):
        if read := _read(model, one, amiss):
            yield read


def _each(
    collection: "CollectionReference", *order: str, page: int
) -> "Iterator[DocumentSnapshot[Any]]":
    """All documents, in order of these fields and their names; one page is held at a time."""
    query: Any = collection
    for field in (*order, "__name__"):
        query = query.order_by(field)
    query = query.limit(page)
    found = list(query.stream(**bounded(READ_SECONDS)))
    while found:
        yield from found
        if len(found) < page:
            return
        found = list(query.start_after(found[-1]).stream(**bounded(READ_SECONDS)))


def _read(model: type[M], snapshot: "DocumentSnapshot[Any]", amiss: Amiss, **ids: str) -> M | None:
    """None for a document that does not fit, which is put on the list of those."""
    try:
        return decode(model, snapshot.reference.path, snapshot.to_dict() or {}, **ids)
    except DocumentMisshapenError as error:
        amiss(error.path)
        return None
