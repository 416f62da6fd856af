"""What traffic costs, in operations and tokens: `make bench` prints these for tools/costs.py.

Counts alone, the same in every run and on every machine. `python -m tests.bench.costs` prints them
by themselves, as docs/operations/figures.txt keeps them.
"""

import os
from datetime import UTC, datetime
from uuid import uuid4

from google.cloud import firestore

from functions.adapters.clock import SystemClock
from functions.adapters.extractive import ExtractiveModel
from functions.adapters.firestore.breaker import FirestoreBreaker
from functions.adapters.firestore.budget import FirestoreBudget
from functions.adapters.firestore.irregularities import FirestoreIrregularities
from functions.adapters.firestore.lorebook import FirestoreLorebook
from functions.adapters.firestore.memory import FirestoreMemory
from functions.adapters.firestore.plays import FirestorePlays
from functions.adapters.firestore.rollbacks import FirestoreRollbacks
from functions.adapters.firestore.souls import FirestoreSouls
from functions.adapters.firestore.threads import FirestoreThreads
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from functions.services import budget_limits
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.model.thread import ThreadKey
from shared.settings import Settings
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from shared.summarizing.working import CyclePorts
from shared.sweeping.sweep import SweepPorts, sweep
from tests.bench.composing import WINDOW, ports_on, write_thread
from tests.bench.counting import record, unsummarized
from tests.bench.operations import Operations, counted
from tests.bench.replying import one_reply
from tests.fakes import FakeChance, FakeEvents, FakeTasks
from tools.emulators import running_firestore

NAMES = (
    "reads_per_message",
    "writes_per_message",
    "reads_per_reply",
    "writes_per_reply",
    "reads_per_cycle",
    "writes_per_cycle",
    "reads_per_sweep",
    "writes_per_sweep",
    "messages_per_cycle",
    "cycle_tokens_in",
    "cycle_tokens_out",
    "prompt_tokens_without_live",
    "prompt_tokens_per_live_message",
)


def measure() -> dict[str, float]:
    """By the names above. Needs the Firestore emulator.

    A reply's reads leave out the live window's messages, which depend on when the last cycle was,
    and recalled entries; its writes leave out the messages it becomes.
    """
    client = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    return {
        **_rates("sweep", *_sweep(client)),
        **_message_and_cycle(client),
        **_reply(client),
        **_prompt(client),
    }


def _rates(what: str, operations: Operations, runs: int = 1) -> dict[str, float]:
    return {
        f"reads_per_{what}": operations.reads / runs,
        f"writes_per_{what}": operations.writes / runs,
    }


def _sweep(client: firestore.Client) -> tuple[Operations, int]:
    """One that finds nothing wrong."""
    ports = _cycle_ports(client)
    with counted() as operations:
        sweep(
            ports=SweepPorts(
                irregularities=FirestoreIrregularities(client),
                memory=ports.memory,
                threads=ports.threads,
                tasks=ports.tasks,
                tokens=ports.tokens,
                breaker=ports.breaker,
                clock=ports.clock,
                settings=ports.settings,
            )
        )
    return operations, 1


def _message_and_cycle(client: firestore.Client) -> dict[str, float]:
    """As many messages as make a cycle due, all with the ask; then that cycle, with the prompt's
    rules and a full baseline in what it reads."""
    key = ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)
    write_thread(client, key, messages=0)
    ports = _cycle_ports(client)
    fresh = unsummarized(client, key, ports.settings)
    with counted() as counting:
        for one in fresh:
            record(key, one, ports)
    with counted() as cycle:
        result = summarize_thread(SummarizeThread(thread=key, generation=2), ports=ports)
    if result.outcome != "applied":
        raise AssertionError("the cycle was not applied")
    stored = ports.memory.read_cycle(key, 2).cycle
    if stored is None or stored.output is None:
        raise AssertionError("the cycle has no output")
    return {
        **_rates("message", counting, len(fresh)),
        **_rates("cycle", cycle),
        "messages_per_cycle": float(result.messages_consumed),
        "cycle_tokens_in": float(stored.output.tokens_in),
        "cycle_tokens_out": float(stored.output.tokens_out),
    }


def _reply(client: firestore.Client) -> dict[str, float]:
    operations, sent = one_reply(client)
    operations.writes -= len(sent)
    return _rates("reply", operations)


def _prompt(client: firestore.Client) -> dict[str, float]:
    """Of a thread with full slots and a full window, as just before a cycle."""
    key = ThreadKey(uid=uuid4().hex, soul_id=uuid4().hex)
    write_thread(client, key)
    counts = compose_prompt(ComposePrompt(thread=key), ports=ports_on(client)).prompt.token_counts
    return {
        "prompt_tokens_without_live": float(counts.system + counts.context),
        "prompt_tokens_per_live_message": round(counts.live / WINDOW, 2),
    }


def _cycle_ports(client: firestore.Client) -> CyclePorts:
    settings, tokens = Settings(settle_seconds=0), TiktokenCounter()
    return CyclePorts(
        memory=FirestoreMemory(client),
        threads=FirestoreThreads(client),
        lorebook=FirestoreLorebook(client),
        embedder=None,
        souls=FirestoreSouls(client),
        plays=FirestorePlays(client),
        model=ExtractiveModel(tokens),
        prompts=PromptFiles(),
        tokens=tokens,
        tasks=FakeTasks(),
        events=FakeEvents(),
        clock=SystemClock(),
        chance=FakeChance(),
        breaker=FirestoreBreaker(client),
        budget=FirestoreBudget(client, budget_limits(settings)),
        rollbacks=FirestoreRollbacks(client),
        settings=settings,
    )


def main() -> None:
    """Print the figures with their day."""
    with running_firestore() as host:
        os.environ["FIRESTORE_EMULATOR_HOST"] = host
        figures = measure()
    print(f"# Measured {datetime.now(UTC):%Y-%m-%d} by `python -m tests.bench.costs`.")
    for name in NAMES:
        print(f"{name} {figures[name]:g}")


if __name__ == "__main__":
    main()
