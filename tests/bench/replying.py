"""What a reply costs: operations on Firestore, and the time until its first words."""

import statistics
import time
from threading import Event
from uuid import uuid4

from google.cloud import firestore

from functions.adapters.aside import aside
from functions.adapters.clock import SystemChance
from functions.adapters.extractive_chat import ExtractiveChat
from functions.adapters.firestore.paths import Paths
from functions.adapters.firestore.replies import FirestoreReplies
from functions.adapters.firestore.threads import FirestoreThreads
from shared.model.thread import ThreadKey
from shared.replying.generate_reply import GenerateReply, ReplyPorts, generate_reply
from tests.bench.composing import WINDOW, ports_on, write_thread
from tests.bench.operations import Operations, counted
from tests.factories import message
from tools.app_client import AppClient, AppError
from tools.demo_world import write_soul
from tools.emulators import Suite
from tools.replay import named_soul
from tools.thread_report import admin_client
from tools.waiting import PATIENCE_SECONDS, POLL_SECONDS, StalledError

WARM_UP_CHATS, CHATS, ASKS = 80, 15, 4


def operations() -> dict[str, float]:
    """Of one reply, those that it adds to the live window not counted among its writes."""
    found, sent = one_reply(firestore.Client(project="demo-soul-memory"))
    return {"ops_per_reply": found.reads + found.writes - len(sent)}


def one_reply(client: firestore.Client) -> tuple[Operations, list[str]]:
    """What one reply took in a chat that this process knows, without reading the live window's
    messages and recalled entries; and its bubbles."""
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
        sent = _reply(ports, key)
    found.reads -= live + sum(recalled)
    return found, sent


def first_text(suite: Suite) -> dict[str, float]:
    """From asking to the first bubble, the stand-in's own time being none, against a call that
    does nothing but be refused.

    In short chats, each message counted before its reply is asked for: here triggers share the
    processor with the callable, which they do nowhere else. The chats before those warm up the
    functions and the emulators, which grow faster with the first thousand requests.
    """
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    soul = named_soul("서윤", "ko")
    write_soul(client, soul)
    bare, first = [], []
    with AppClient(suite) as app:
        for chat in range(WARM_UP_CHATS + CHATS):
            uid = app.sign_in(f"bench-{uuid4().hex[:8]}")
            app.create_thread(soul["soul_id"])
            app.watch_thread(soul["soul_id"])
            messages = Paths(client).messages(ThreadKey(uid=uid, soul_id=soul["soul_id"]))
            is_measured = chat >= WARM_UP_CHATS
            for number in range(ASKS):
                app.send_message(soul["soul_id"], "user", f"{number}번째 이야기")
                if is_measured:
                    _wait_until_counted(messages)
                refused, told = _bare(app), _first(app, soul["soul_id"])
                # The first reply of a chat reads what the next ones know.
                if is_measured and number:
                    bare.append(refused)
                    first.append(told)
                if is_measured:
                    _wait_until_counted(messages)
            _wait_until_counted(messages)
    return {"first_text_ratio": statistics.median(first) / statistics.median(bare)}


def _wait_until_counted(messages: firestore.CollectionReference) -> None:
    """Until two looks in a row find no message without its mark."""
    deadline, quiet = time.monotonic() + PATIENCE_SECONDS, 0
    while quiet < 2:
        if time.monotonic() > deadline:
            raise StalledError("a message was not counted")
        Event().wait(POLL_SECONDS)
        found = [one.to_dict() or {} for one in messages.stream()]
        quiet = quiet + 1 if all("token_count" in one for one in found) else 0


def _bare(app: AppClient) -> float:
    started = time.perf_counter()
    try:
        app.call("generate_reply", {})
    except AppError:
        return time.perf_counter() - started
    raise AssertionError("an empty request was not refused")


def _first(app: AppClient, soul_id: str) -> float:
    heard: list[float] = []
    started = time.perf_counter()
    request = {"soul_id": soul_id, "request_id": uuid4().hex}
    app.stream("generate_reply", request, lambda _: heard.append(time.perf_counter()))
    return heard[0] - started


def _ports(client: firestore.Client) -> ReplyPorts:
    composing = ports_on(client)
    return ReplyPorts(
        composing=composing,
        replies=FirestoreReplies(client),
        model=ExtractiveChat(composing.tokens),
        chance=SystemChance(),
        aside=aside,
    )


def _reply(ports: ReplyPorts, key: ThreadKey) -> list[str]:
    command = GenerateReply(thread=key, request_id=uuid4().hex)
    given = generate_reply(command, ports=ports, tell=lambda _: None)
    return [one.text for one in given.messages]


def _now() -> object:
    return firestore.SERVER_TIMESTAMP
