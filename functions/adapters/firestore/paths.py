"""Where documents are (contract: Documents). Ids are checked before they get here."""

from typing import TYPE_CHECKING

from shared.model.slots import SlotName
from shared.model.thread import ThreadKey

if TYPE_CHECKING:
    from google.cloud.firestore import Client, CollectionReference, DocumentReference


class Paths:
    """References to every document that the functions touch."""

    def __init__(self, client: "Client") -> None:
        self.client = client

    def soul(self, soul_id: str) -> "DocumentReference":
        return self.client.document("souls", soul_id)

    def soul_slot(self, soul_id: str, name: str) -> "DocumentReference":
        return self.client.document("souls", soul_id, "slots", name)

    def plays(self, uid: str) -> "CollectionReference":
        return self.client.collection("users", uid, "plays")

    def threads(self, uid: str) -> "CollectionReference":
        return self.client.collection("users", uid, "threads")

    def budgets(self, uid: str) -> "CollectionReference":
        return self.client.collection("users", uid, "budgets")

    def deletion(self, uid: str) -> "DocumentReference":
        return self.client.document("deletions", uid)

    def thread(self, key: ThreadKey) -> "DocumentReference":
        return self.client.document("users", key.uid, "threads", key.soul_id)

    def under(self, key: ThreadKey, collection: str) -> "CollectionReference":
        return self._under(key, collection)

    def _under(self, key: ThreadKey, collection: str) -> "CollectionReference":
        return self.client.collection("users", key.uid, "threads", key.soul_id, collection)

    def messages(self, key: ThreadKey) -> "CollectionReference":
        return self._under(key, "messages")

    def slot(self, key: ThreadKey, name: SlotName) -> "DocumentReference":
        return self._under(key, "slots").document(name)

    def lorebook(self, key: ThreadKey) -> "CollectionReference":
        return self._under(key, "lorebook")

    def withdrawn_entries(self, key: ThreadKey) -> "CollectionReference":
        return self._under(key, "withdrawn_entries")

    def shard(self, key: ThreadKey, number: int) -> "DocumentReference":
        return self._under(key, "lorebook_index").document(f"{number:04d}")

    def embedding_shard(self, key: ThreadKey, number: int) -> "DocumentReference":
        return self._under(key, "lorebook_embeddings").document(f"{number:04d}")

    def cycles(self, key: ThreadKey) -> "CollectionReference":
        return self._under(key, "cycles")

    def cycle(self, key: ThreadKey, cycle_id: str) -> "DocumentReference":
        return self.cycles(key).document(cycle_id)

    def change(self, key: ThreadKey, change_id: str) -> "DocumentReference":
        return self._under(key, "changes").document(change_id)

    def state(self, key: ThreadKey) -> "DocumentReference":
        return self._under(key, "state").document("memory")

    def live_reply(self, key: ThreadKey) -> "DocumentReference":
        return self._under(key, "live").document("reply")

    def live_import(self, key: ThreadKey) -> "DocumentReference":
        return self._under(key, "live").document("import")

    def plays_read(self, key: ThreadKey) -> "DocumentReference":
        return self._under(key, "state").document("plays_read")

    def counter(self, key: ThreadKey) -> "DocumentReference":
        return self._under(key, "state").document("counter")
