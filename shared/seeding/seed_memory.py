"""A thread's first memory, made of the episodes that were lived through (PRD §5)."""

from typing import Literal

from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    ModelError,
    RetryLaterError,
)
from shared.events import SeedDmMemoryFromEpisode
from shared.model.base import Frozen
from shared.model.slots import SEEDED_SLOT_NAMES
from shared.model.thread import MemoryStatus, ThreadKey
from shared.ports import (
    DirectorDocuments,
    Plays,
    Prompts,
    Souls,
    Tasks,
    Threads,
    TokenCounter,
)
from shared.safety.fencing import fence
from shared.safety.redaction import redact
from shared.seeding.choose_plays import ChosenPlay, choose_plays
from shared.seeding.episodes import episode_blocks
from shared.seeding.write_summaries import write_missing_summaries
from shared.summarizing import states
from shared.summarizing.failing import end_in_failure
from shared.summarizing.guard import guard
from shared.summarizing.memory_document import parse_first_memory
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import (
    Bench,
    HeldCycle,
    about_soul,
    ask_model,
    hold,
    keep_output,
    kept_output,
)
from shared.summarizing.writing import memory_document, rewritten, slots_of

FINISHED: frozenset[MemoryStatus] = frozenset({"ready", "empty", "failed"})


class SeedMemory(Frozen):
    """Seed the memory of a thread that was just created."""

    thread: ThreadKey


class MemorySeeded(Frozen):
    """Where the thread's memory stands after it; `cycle_id` when a cycle was made."""

    memory_status: Literal["ready", "empty", "failed"]
    cycle_id: str | None = None


def seed_memory(
    command: SeedMemory,
    *,
    bench: Bench,
    threads: Threads,
    souls: Souls,
    plays: Plays,
    prompts: Prompts,
    tokens: TokenCounter,
    tasks: Tasks,
) -> MemorySeeded:
    """Choose plays, sample their summaries, run Chat v4 once, and write three slots at once.

    Progress shows in `memory_status`. A second delivery changes nothing. A thread whose soul or
    documents are missing ends as `failed`, and its chat goes on without a seed. Raises
    RetryLaterError where the trigger should deliver again.
    """
    key = command.thread
    thread = threads.read_thread(key)
    if thread is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    if thread.memory_status in FINISHED:
        return MemorySeeded.model_validate({"memory_status": thread.memory_status})
    try:
        director = souls.read_soul(key.soul_id)
        chosen = choose_plays(key.uid, director.soul.character_ids, plays=plays)
    except (DocumentNotFoundError, DocumentMisshapenError):
        threads.set_memory_status(key, "failed")
        raise
    if not chosen:
        threads.set_memory_status(key, "empty")
        return MemorySeeded(memory_status="empty")
    held = _hold(key, bench)
    try:
        if held.cycle.output is None:
            chosen = write_missing_summaries(
                held, chosen, director=director, plays=plays, prompts=prompts
            )
            if not chosen:
                return _nothing_to_read(held)
            _extract(held, chosen, director, prompts=prompts)
        seeded = _apply(held, prompts=prompts, tokens=tokens)
    except (ModelError, RetryLaterError, DocumentMisshapenError) as error:
        result = end_in_failure(held, error, memory_status="failed")
        seeded = MemorySeeded(memory_status="failed", cycle_id=result.cycle_id)
    ask_if_due(key, threads=threads, tasks=tasks, bench=bench)
    return seeded


def _hold(key: ThreadKey, bench: Bench) -> HeldCycle:
    """Put the seed on record and take it; it goes before a summary that has not begun."""
    read = bench.memory.read_cycle(key, None)
    change = states.ask_for_seed(read, now=bench.clock.now())
    if change is not None:
        read = bench.memory.commit(key, read, change)
    held = hold(key, read, "seed", bench=bench, memory_status="seeding")
    if held is None:
        raise RetryLaterError("another cycle goes first")
    return held


def _extract(
    held: HeldCycle, chosen: list[ChosenPlay], director: DirectorDocuments, *, prompts: Prompts
) -> None:
    """Render v4 on the sampled summaries and what memory there is; call the model once."""
    bench = held.bench
    play_ids = tuple(one.play.play_id for one in chosen)
    written = held.cycle.episode_summaries
    held.commit(states.note_plays(held.read, play_ids=play_ids, summaries=written))
    stored = slots_of(bench.memory.read_slots(held.key))
    baseline = memory_document(stored.model_copy(update={"recent_context": ""}))
    episodes = episode_blocks(chosen, max_characters=bench.settings.seed_max_characters)
    nonce = bench.chance.token()
    output = ask_model(
        prompts.load("memory_extraction"),
        bench=bench,
        values={
            **about_soul(director),
            "episodes": fence("episodes", redact(episodes).text, nonce),
            "current_memory": fence("current_memory", baseline, nonce),
            "nonce": nonce,
        },
    )
    keep_output(held, output)


def _apply(held: HeldCycle, *, prompts: Prompts, tokens: TokenCounter) -> MemorySeeded:
    """Read the kept output, and write three slots, status and audit at once."""
    document = parse_first_memory(kept_output(held).text)
    stored = held.bench.memory.read_slots(held.key)
    before = slots_of(stored)
    guard(
        document,
        before=before,
        rejections=held.cycle.rejections,
        prompt_body=prompts.load("memory_extraction").body,
        tokens=tokens,
    )
    cycle, now = held.cycle, held.bench.clock.now()
    held.check_lease()
    after = document.as_slots().model_copy(update={"recent_context": before.recent_context})
    change = states.apply(held.read, before=before, after=after, entries=0, now=now)
    slots = rewritten(stored, after, cycle, names=SEEDED_SLOT_NAMES, tokens=tokens, now=now)
    held.commit(change.model_copy(update={"slots": slots, "memory_status": "ready"}))
    patch_size = sum(len(after.of(name)) for name in after.changed_from(before))
    held.bench.events.emit(
        SeedDmMemoryFromEpisode(
            thread_id=held.key.soul_id,
            soul_id=held.key.soul_id,
            episode_play_ids=cycle.episode_play_ids,
            source="thread_start",
            patch_size=patch_size,
        )
    )
    return MemorySeeded(memory_status="ready", cycle_id=cycle.cycle_id)


def _nothing_to_read(held: HeldCycle) -> MemorySeeded:
    """Scenes were counted but none is stored: the thread starts with empty memory."""
    change = states.withdraw(held.read)
    held.commit(change.model_copy(update={"memory_status": "empty"}))
    return MemorySeeded(memory_status="empty")
