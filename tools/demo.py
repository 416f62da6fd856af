"""`make demo`: a Soul meets a user it has lived through episodes with, and remembers their chat.

The whole product on the emulators: a chat of 476 messages goes in through the Firebase SDK, as the
app would send it, and the memory that comes of it is shown.
"""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from google.api_core.exceptions import GoogleAPIError

from shared.settings import Settings
from tools.app_client import AppClient, AppClientError, AppError
from tools.demo_world import DATA, demo_plays, demo_soul, write_plays, write_soul
from tools.emulators import EmulatorError, Suite, running_suite
from tools.progress import Progress
from tools.showing import WIDTH, in_words, memory_lines, prompt_lines, verdict_lines
from tools.thread_report import Standing, ThreadReader, ThreadReport, admin_client
from tools.waiting import Follower, StalledError

UID = "demo-user"
TRIGGER_TOKENS = 3_000
SETTLE_SECONDS = 1
SEED_SECONDS = 300.0  # with a real model: one call a play without summaries, and one more
SETTINGS = {
    "CYCLE_TRIGGER_TOKENS": str(TRIGGER_TOKENS),
    "SETTLE_SECONDS": str(SETTLE_SECONDS),
}
LEAST_CYCLES = 2
CHUNK = 10

Message = dict[str, str]


class DemoError(Exception):
    """The demo did not show what it promises; the text says what is missing."""


EXPECTED = (EmulatorError, AppClientError, AppError, StalledError, DemoError, GoogleAPIError)


def main() -> int:
    """Run the demo; 0 when nothing was lost."""
    started = time.monotonic()
    print("Starting the Firebase emulators (about half a minute) …", flush=True)
    try:
        with running_suite(SETTINGS) as suite:
            report = run_demo(suite)
    except EXPECTED as error:
        print(f"demo: {in_words(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.")
        return 130
    print(
        f"\nAll of it, with the emulators' start and stop, took {time.monotonic() - started:.0f} s."
    )
    for line in verdict_lines(report, "demo", with_lorebook=True):
        print(line)
    return 0 if report.accounts.balanced else 1


def run_demo(suite: Suite) -> ThreadReport:
    """Play the whole story against a running suite and print what comes of it."""
    soul, messages = demo_soul(), demo_messages()
    name, soul_id = soul["soul_messenger_bio"]["display_name"], soul["soul_id"]
    client = admin_client(suite.project_id, suite.hosts["firestore"])
    plays = demo_plays()
    write_soul(client, soul)
    write_plays(client, UID, plays)
    print(f"Studio has written {name}; the game has recorded {len(plays)} episodes.")
    reader = ThreadReader(client, UID, soul_id)
    with AppClient(suite) as app:
        app.sign_in(UID)
        open_chat(app, reader, soul_id)
        print(_what_is_different(len(messages)))
        send_all(app, soul_id, messages, reader, suite)
        report = reader.report(sent=len(messages))
        composed = app.call("compose_prompt", {"soul_id": soul_id})
    for line in (*memory_lines(report), *prompt_lines(composed)):
        print(line)
    if report.summary_cycles < LEAST_CYCLES:
        raise DemoError(f"{report.summary_cycles} summary cycles ran, {LEAST_CYCLES} were due")
    return report


def demo_messages() -> list[Message]:
    """Read the demo's chat. Its own times stay in the file: the server stamps what an app sends."""
    lines = (DATA / "chat.jsonl").read_text(encoding="utf-8").split("\n")
    read: list[dict[str, Any]] = [json.loads(line) for line in lines if line]
    return [{"role": one["role"], "text": one["text"]} for one in read]


def _what_is_different(count: int) -> str:
    production = Settings()
    return textwrap.fill(
        f"Sending {count} messages through the Firebase JS SDK. Two settings differ from "
        f"production: a cycle is due at {TRIGGER_TOKENS:,} pending tokens, not at "
        f"{production.cycle_trigger_tokens:,}, and messages settle for {SETTLE_SECONDS} s, not "
        f"{production.settle_seconds:.0f} s. The server stamps the time, so three weeks of chat "
        "all happen now.",
        WIDTH,
    )


def open_chat(app: AppClient, reader: ThreadReader, soul_id: str) -> None:
    """Create the thread and watch its first memory being made of the episodes."""
    app.create_thread(soul_id)
    print("Thread created. memory_status:", end="", flush=True)
    try:
        status = app.watch_thread(
            soul_id,
            seconds=SEED_SECONDS,
            on_status=lambda status: print(f" {status}", end="", flush=True),
        )
    except AppClientError as error:
        raise DemoError(f"no first memory: {error}; {reader.look().newest_cycle}") from error
    finally:
        print()
    if status != "ready":
        raise DemoError(f"the first memory ended as {status}; {reader.look().newest_cycle}")


def send_all(
    app: AppClient, soul_id: str, messages: Sequence[Message], reader: ThreadReader, suite: Suite
) -> None:
    """Send the chat while cycles run, and wait until memory has caught up with it."""
    sent = 0
    with Progress("messages", len(messages)) as progress:

        def show(standing: Standing) -> None:
            progress.show(standing.counted_messages, standing.words)

        follower = Follower(reader.look, TRIGGER_TOKENS, lambda: suite.program.has_ended, show)
        for chunk in _chunks(messages):
            sent += len(app.send_messages(soul_id, chunk))
            follower.wait_for_room(sent)
        follower.wait_until_quiet(sent)


def _chunks(messages: Sequence[Message]) -> Iterator[list[Message]]:
    left = iter(messages)
    while chunk := list(islice(left, CHUNK)):
        yield chunk


if __name__ == "__main__":
    sys.exit(main())
