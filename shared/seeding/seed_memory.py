"""A thread's first memory, made of the episodes that were lived through (PRD §5)."""

from collections.abc import Sequence
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
from shared.model.thread import MemoryStatus, Thread, ThreadKey
from shared.ports import DirectorDocuments
from shared.safety.fencing import fence
from shared.safety.masking import mask, masked_memory
from shared.seeding.choose_plays import ChosenPlay, choose_plays
from shared.seeding.episodes import episode_blocks, episode_sources
from shared.seeding.masked_play import masked_play
from shared.seeding.write_summaries import stored_summaries, write_missing_summaries
from shared.summarizing import states
from shared.summarizing.checking import OutputCheck, Reading
from shared.summarizing.failing import end_in_failure, report_conflict
from shared.summarizing.guard import guard
from shared.summarizing.memory_document import parse_first_memory
from shared.summarizing.summarize_thread import ask_if_due
from shared.summarizing.working import (
    CyclePorts,
    HeldCycle,
    about_soul,
    ask_model,
    hold,
    keep_output,
    kept_output,
    prompt_of,
    read_director,
)
from shared.summarizing.writing import memory_document, rewritten, slots_of

PROMPT = "memory_extraction"
FINISHED: frozenset[MemoryStatus] = frozenset({"ready", "empty", "failed"})


class SeedMemory(Frozen):
    """Seed the memory of a thread that was just created."""

    thread: ThreadKey


class MemorySeeded(Frozen):
    """Where the thread's memory stands after it; `cycle_id` when a cycle was made."""

    memory_status: Literal["ready", "empty", "failed"]
    cycle_id: str | None = None


def seed_memory(command: SeedMemory, *, ports: CyclePorts) -> MemorySeeded:
    """Choose plays, sample their summaries, run Chat v4 once, and write three slots at once.

    Progress shows in `memory_status`. A second delivery changes nothing. A thread whose soul or
    documents are missing ends as `failed`, and its chat goes on without a seed. Raises
    RetryLaterError where the trigger or the queue should try again.
    """
    key, threads = command.thread, ports.threads
    thread = threads.read_thread(key)
    if thread is None:
        raise DocumentNotFoundError(f"users/{key.uid}/threads/{key.soul_id}")
    if thread.memory_status in FINISHED and not _was_asked_again(key, thread, ports):
        return MemorySeeded.model_validate({"memory_status": thread.memory_status})
    try:
        director = read_director(key, ports)
        chosen = choose_plays(key.uid, director.soul.character_ids, plays=ports.plays)
    except (DocumentNotFoundError, DocumentMisshapenError):
        _end_without_cycle(key, "failed", ports)
        raise
    if not chosen:
        _end_without_cycle(key, "empty", ports)
        return MemorySeeded(memory_status="empty")
    held = _hold(key, ports)
    try:
        if held.cycle.output is None:
            chosen = write_missing_summaries(held, chosen, director=director)
            if not chosen:
                return _nothing_to_read(held, ports)
            _extract(held, chosen, director)
        held.reading = held.reading or _reading(_chosen_again(held, chosen), director, ports)
        seeded = _apply(held, held.reading)
    except (ModelError, RetryLaterError, DocumentMisshapenError) as error:
        result = end_in_failure(held, error, memory_status="failed")
        seeded = MemorySeeded(memory_status="failed", cycle_id=result.cycle_id)
    ask_if_due(key, ports=ports)
    return seeded


def _end_without_cycle(key: ThreadKey, status: MemoryStatus, ports: CyclePorts) -> None:
    """Say how it ended; a seed that the sweep put on record leaves its place to a summary."""
    read = ports.memory.read_cycle(key, None)
    cycle = read.cycle
    if cycle is None or cycle.kind != "seed" or cycle.status not in {"queued", "waiting"}:
        ports.threads.set_memory_status(key, status)
        return
    change = states.withdraw(read)
    ports.memory.commit(key, read, change.model_copy(update={"memory_status": status}))
    ask_if_due(key, ports=ports)


def _was_asked_again(key: ThreadKey, thread: Thread, ports: CyclePorts) -> bool:
    """Whether a seed that failed is on record anew: its cause may have been mended."""
    cycle = ports.memory.read_cycle(key, None).cycle
    is_queued = cycle is not None and cycle.kind == "seed" and cycle.status == "queued"
    return thread.memory_status == "failed" and is_queued


def _hold(key: ThreadKey, ports: CyclePorts) -> HeldCycle:
    """Put the seed on record and take it; it goes before a summary that has not begun."""
    read = ports.memory.read_cycle(key, None)
    change = states.ask_for_seed(read, now=ports.clock.now())
    if change is not None:
        read = ports.memory.commit(key, read, change)
    held = hold(key, read, "seed", ports=ports, memory_status="seeding")
    if held is None:
        raise RetryLaterError("another cycle goes first")
    return held


def _extract(held: HeldCycle, chosen: list[ChosenPlay], director: DirectorDocuments) -> None:
    """Render v4 on the sampled summaries and what memory there is; call the model once."""
    ports = held.ports
    play_ids = tuple(one.play.play_id for one in chosen)
    written = held.cycle.episode_summaries
    held.commit(states.note_plays(held.read, play_ids=play_ids, summaries=written))
    stored = slots_of(ports.memory.read_slots(held.key))
    baseline = memory_document(masked_memory(stored).model_copy(update={"recent_context": ""}))
    shown = [masked_play(held, one) for one in chosen]
    held.reading = _reading(shown, director, ports)
    episodes = episode_blocks(shown, max_characters=ports.settings.seed_max_characters)
    nonce = ports.chance.token()
    output = ask_model(
        held,
        PROMPT,
        {
            **about_soul(director),
            "episodes": fence("episodes", mask(episodes).text, nonce),
            "current_memory": fence("current_memory", baseline, nonce),
            "nonce": nonce,
        },
    )
    keep_output(held, output)


def _reading(
    chosen: Sequence[ChosenPlay], director: DirectorDocuments, ports: CyclePorts
) -> Reading:
    limit = ports.settings.seed_max_characters
    return Reading(
        sources=episode_sources(chosen, max_characters=limit),
        soul_name=director.bio.display_name,
        persona=director.persona.content,
    )


def _chosen_again(held: HeldCycle, chosen: Sequence[ChosenPlay]) -> list[ChosenPlay]:
    """The plays that a kept output was made from, with what was written for them then."""
    return [
        stored_summaries(one, held.cycle.episode_summaries)
        for one in chosen
        if one.play.play_id in held.cycle.episode_play_ids
    ]


def _apply(held: HeldCycle, reading: Reading) -> MemorySeeded:
    """Read the kept output, and write three slots, status and audit at once."""
    output = kept_output(held)
    written = parse_first_memory(output.text)
    tokens = held.ports.tokens
    stored = held.ports.memory.read_slots(held.key)
    before = slots_of(stored)
    guard(
        written,
        before=before,
        rejections=held.cycle.rejections,
        prompt_body=prompt_of(held, output).body,
        tokens=tokens,
    )
    document, checked = OutputCheck(reading, before).check(written)
    cycle, now = held.cycle, held.ports.clock.now()
    held.check_lease()
    after = document.as_slots().model_copy(update={"recent_context": before.recent_context})
    change = states.apply(
        held.read, before=before, after=after, entries=0, evidence=checked.audit, now=now
    )
    slots = rewritten(stored, after, cycle, names=SEEDED_SLOT_NAMES, tokens=tokens, now=now)
    held.commit(change.model_copy(update={"slots": slots, "memory_status": "ready"}))
    patch_size = sum(len(after.of(name)) for name in after.changed_from(before))
    held.ports.events.emit(
        SeedDmMemoryFromEpisode(
            thread_id=held.key.soul_id,
            soul_id=held.key.soul_id,
            episode_play_ids=cycle.episode_play_ids,
            source="thread_start",
            patch_size=patch_size,
        )
    )
    for reason in checked.refusals:
        report_conflict(held, reason)
    return MemorySeeded(memory_status="ready", cycle_id=cycle.cycle_id)


def _nothing_to_read(held: HeldCycle, ports: CyclePorts) -> MemorySeeded:
    """Scenes were counted but none is stored: the thread starts with empty memory."""
    change = states.withdraw(held.read)
    held.commit(change.model_copy(update={"memory_status": "empty"}))
    ask_if_due(held.key, ports=ports)
    return MemorySeeded(memory_status="empty")
