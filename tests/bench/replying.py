"""What a reply costs in operations on Firestore."""

from uuid import uuid4

from google.cloud import firestore

from functions.adapters.clock import SystemChance, SystemClock
from functions.adapters.extractive_chat import ExtractiveChat
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.prompt_sources import FirestorePromptSources
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.composing.compose_prompt import ComposePorts
from shared.model.thread import ThreadKey
from shared.recall.embedding import SemanticLane
from shared.recall.loading import RecallIndexes
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from shared.settings import Settings
from tests.bench.composing import WINDOW, write_thread
from tests.bench.operations import counted
from tests.factories import message


def operations() -> dict[str, float]:
    """Of one reply in a chat that this process knows: without the live window's messages, those
    that the reply adds among them, and without recalled entries."""
    client = firestore.Client(project="demo-soul-memory")
    key = ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)
    write_thread(client, key)
    ports = _ports(client)
    _reply(ports, key)
    one = message(WINDOW + 1, "현상소 얘기 더 해 줘")
    path = f"users/{key.uid}/threads/{key.soul_id}/messages"
    client.collection(path).document("zz").set({**one.model_dump(), "created_at": _now()})
    live = len(FirestoreThreads(client).latest_messages(key, None, limit=2 * WINDOW))
    recalled: list[int] = []
    read_entries = ports.composing.indexes.lorebook.read_entries

    def counting(thread: ThreadKey, ids: list[str]) -> object:
        recalled.append(len(ids))
        return read_entries(thread, ids)

    ports.composing.indexes.lorebook.read_entries = counting  # type: ignore[method-assign, assignment]
    with counted() as found:
        sent = len(_reply(ports, key))
    return {"ops_per_reply": found.reads + found.writes - live - sent - sum(recalled)}


def _ports(client: firestore.Client) -> ReplyPorts:
    lorebook, tokens = FirestoreLorebook(client), TiktokenCounter()
    composing = ComposePorts(
        sources=FirestorePromptSources(client),
        threads=FirestoreThreads(client),
        indexes=RecallIndexes(lorebook),
        semantics=SemanticLane(lorebook, None),
        prompts=PromptFiles(),
        tokens=tokens,
        clock=SystemClock(),
        settings=Settings(),
    )
    return ReplyPorts(
        composing=composing,
        replies=FirestoreReplies(client),
        model=ExtractiveChat(tokens),
        chance=SystemChance(),
    )


def _reply(ports: ReplyPorts, key: ThreadKey) -> list[str]:
    command = GenerateReply(thread=key, request_id=uuid4().hex)
    given = generate_reply(command, ports=ports, tell=lambda _: None)
    return [one.text for one in given.messages]


def _now() -> object:
    return firestore.SERVER_TIMESTAMP
