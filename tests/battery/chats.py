"""What is said in the battery's chats, and what was played before them."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore import Client, Increment

from functions.adapters.firestore.paths import Paths
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.model.thread import Message, ThreadKey
from shared.ports import Versioned
from tests.factories import play

WORDS = (
    "오늘 현상소 앞에서 비를 만났는데 우산이 없어서 한참 기다렸어 그래도 필름은 무사히 찾았고 "
    "돌아오는 길에 책방에 들러서 네가 말한 시집을 샀어 내일 강릉 가는 기차에서 읽으려고 해"
).split()


@dataclass
class Chat:
    """A thread and what was written into it. `versions` are what its events carry."""

    key: ThreadKey
    texts: dict[str, str] = field(default_factory=dict)
    versions: list[Versioned] = field(default_factory=list)


def lines(
    count: int, chance: random.Random, *, until: datetime, start: int = 0, words: int = 6
) -> list[Message]:
    """`count` messages in turn, the last at `until`, a second apart, numbered from `start`."""
    return [
        Message(
            message_id=f"m{start + index:05d}",
            role="user" if (start + index) % 2 == 0 else "soul",
            text=f"{start + index}번 말. " + " ".join(chance.choices(WORDS, k=words)),
            created_at=until - timedelta(seconds=count - 1 - index),
        )
        for index in range(count)
    ]


def write_plays(client: Client, uid: str, *, episodes: int, summarized: bool) -> None:
    """What a seed reads: plays with two summaries each, or with twelve scenes and no summary."""
    batch = client.batch()
    for number in range(1, episodes + 1):
        one = play(f"p{number}", episode_id=f"e{number}", episode_number=number)
        reference = client.document("users", uid, "plays", one.play_id)
        batch.set(reference, one.model_dump(exclude={"play_id"}))
        parts = reference.collection("summaries" if summarized else "scenes")
        for index in range(2 if summarized else 12):
            text = f"{number}화의 {index}째 장면에서 둘은 강변을 달렸다."
            batch.set(parts.document(f"{index:02d}"), {"index": index, "text": text})
    batch.commit()


def play_on(client: Client, uid: str, number: int, *, summaries: range, at: datetime) -> None:
    """Play a new episode, or go on with one: its last summaries, and the time it was played."""
    one = play(f"p{number}", episode_id=f"e{number}", episode_number=number, last_played_at=at)
    batch = client.batch()
    reference = client.document("users", uid, "plays", one.play_id)
    batch.set(reference, one.model_dump(exclude={"play_id"}))
    for index in summaries:
        body = {"index": index, "text": f"{number}화의 {index}째 장면에서 둘은 다리를 건넜다."}
        batch.set(reference.collection("summaries").document(f"{index:02d}"), body)
    batch.commit()


def write_messages(
    client: Client,
    chat: Chat,
    messages: Sequence[Message],
    *,
    counted: int = 0,
    thread: Mapping[str, object] | None = None,
) -> None:
    """Write messages in one commit, with the thread itself where its body is given.

    The first `counted` get their mark, and the counter what it would have been moved by.
    """
    paths, batch, tokens = Paths(client), client.batch(), TiktokenCounter()
    for index, one in enumerate(messages):
        body: dict[str, Any] = one.model_dump(include={"role", "text", "created_at"})
        if index < counted:
            body["token_count"] = tokens.count(one.text)
        batch.set(paths.messages(chat.key).document(one.message_id), body)
    if counted:
        total = sum(tokens.count(one.text) for one in messages[:counted])
        moved = {"pending_messages": Increment(counted), "pending_tokens": Increment(total)}
        batch.set(paths.counter(chat.key), moved, merge=True)
    if thread is not None:
        batch.set(paths.thread(chat.key), dict(thread))
    results = batch.commit()
    for one, result in zip(messages, results, strict=False):
        chat.texts[one.message_id] = one.text
        chat.versions.append(Versioned(message=one, version=result.update_time))
