"""`make replay FILE=…`: run a recorded chat through memory, with its own times.

Messages are written in order past the rules (the server stamps what an app sends), under a Soul
that is nothing but a name. The trigger is the real one.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from google.api_core.exceptions import GoogleAPIError

from functions.adapters.extractive_text import is_korean
from shared.settings import Settings
from tools.chat_files import ZONE, Chat, ChatFileError, ChatMessage, read_chat
from tools.demo_world import WRITE_SECONDS, write_soul
from tools.emulators import EmulatorError, Suite, running_suite
from tools.progress import Progress
from tools.showing import in_words, memory_lines, verdict_lines
from tools.thread_report import Standing, ThreadReader, ThreadReport, admin_client
from tools.waiting import Follower, StalledError

if TYPE_CHECKING:
    from google.cloud.firestore import Client, DocumentReference

TRIGGER_TOKENS = Settings().cycle_trigger_tokens
BATCH = 10
_NAME_CHARACTERS = 40


def main(arguments: Sequence[str]) -> int:
    """Replay one file; 0 when nothing was lost, 2 for a file that cannot be read."""
    if len(arguments) != 1:
        print("usage: python -m tools.replay FILE", file=sys.stderr)
        return 2
    try:
        chat = read_chat(Path(arguments[0]))
    except ChatFileError as error:
        print(f"replay: {arguments[0]}: {error}.", file=sys.stderr)
        return 2
    print(f"{len(chat.messages)} messages with {chat.soul_name}.")
    for note in chat.notes:
        print(f"  note: {note}")
    try:
        return _run(chat)
    except (EmulatorError, StalledError, GoogleAPIError) as error:
        print(f"replay: {in_words(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130


def _run(chat: Chat) -> int:
    print("Starting the Firebase emulators (about half a minute) …", flush=True)
    with running_suite({"CYCLE_TRIGGER_TOKENS": str(TRIGGER_TOKENS)}) as suite:
        report = replay(chat, suite)
    for line in (*memory_lines(report), "", *verdict_lines(report, "replay", with_lorebook=False)):
        print(line)
    return 0 if report.accounts.balanced else 1


def replay(chat: Chat, suite: Suite, *, trigger: int = TRIGGER_TOKENS) -> ThreadReport:
    """Run a chat through a running suite, whose trigger is `trigger`, as a user of its own."""
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    uid, soul = f"replay-{uuid4().hex[:12]}", named_soul(chat.soul_name, language_of(chat))
    soul_id = soul["soul_id"]
    write_soul(client, soul)
    thread = client.document("users", uid, "threads", soul_id)
    thread.create({"created_at": chat.messages[0].created_at}, timeout=WRITE_SECONDS)
    reader = ThreadReader(client, uid, soul_id)
    with Progress("messages", len(chat.messages)) as progress:

        def show(standing: Standing) -> None:
            progress.show(standing.counted_messages, standing.words)

        follower = Follower(reader.look, trigger, lambda: suite.program.has_ended, show)
        written = 0
        for batch in _batches(chat.messages):
            write_messages(client, thread, batch, first=written)
            written += len(batch)
            follower.wait_for_room(written)
        follower.wait_until_quiet(written)
    return reader.report(sent=written)


def language_of(chat: Chat) -> str:
    """The language that memory is written in: Korean, unless hardly any of the chat is."""
    return "ko" if is_korean(message.text for message in chat.messages) else "en"


def named_soul(name: str, language: str) -> dict[str, Any]:
    """Make a Soul of nothing but a name, in the form of the demo's soul.json.

    The digest keeps two names apart of which an id in plain letters shows the same.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_NAME_CHARACTERS]
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return {
        "soul_id": f"replay-{plain or 'soul'}-{digest}",
        "character_ids": [],
        "time_zone": ZONE.key,
        "language": language,
        "soul_messenger_bio": {"display_name": name, "status": ""},
        "soul_default_persona": {"content": f"### {name}"},
    }


def write_messages(
    client: Client, thread: DocumentReference, messages: Sequence[ChatMessage], *, first: int
) -> None:
    """Write messages in one commit. Their ids rise too, so that the order never hangs on chance."""
    batch = client.batch()
    for number, message in enumerate(messages, start=first):
        batch.create(thread.collection("messages").document(f"{number:08d}"), _body(message))
    batch.commit(timeout=WRITE_SECONDS)


def _body(message: ChatMessage) -> dict[str, object]:
    return {"role": message.role, "text": message.text, "created_at": message.created_at}


def _batches(messages: Sequence[ChatMessage]) -> Iterator[list[ChatMessage]]:
    left = iter(messages)
    while batch := list(islice(left, BATCH)):
        yield batch


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
