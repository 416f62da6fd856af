"""One summary cycle of a thread (PRD §6): claim, read, ask once, check, write all or nothing."""

from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    ModelBlockedError,
    ModelError,
    ModelMisconfiguredError,
    RetryLaterError,
)
from shared.events import NoUpdateDmMemorySlot, RunDmMemoryUpdate
from shared.local_time import zone_of_soul
from shared.model.base import Frozen
from shared.model.cycle import CycleResult, Output, cycle_id_of
from shared.model.slots import SLOT_NAMES
from shared.model.thread import Counter, Message, ThreadKey
from shared.ports import DirectorDocuments, EventLog
from shared.safety.fencing import fence, neutralize
from shared.safety.masking import mask, masked_memory
from shared.summarizing import states
from shared.summarizing.asking import (
    about_soul,
    ask_model,
    keep_output,
    kept_output,
    prompt_of,
    read_director,
    report_redactions,
)
from shared.summarizing.checking import OutputCheck
from shared.summarizing.failing import end_in_failure, report_conflict
from shared.summarizing.growing import grown_index
from shared.summarizing.guard import guard
from shared.summarizing.memory_document import parse_summary
from shared.summarizing.request_cycle import request_cycle
from shared.summarizing.rereading import not_told_yet
from shared.summarizing.snapshot import take_snapshot
from shared.summarizing.sources import read_again, reading_of
from shared.summarizing.transcript import transcript
from shared.summarizing.waiting_import import start_waiting_import
from shared.summarizing.working import CyclePorts, HeldCycle, hold
from shared.summarizing.writing import entries_of, memory_document, rewritten, slots_of

PROMPT = "chat_summary"
NO_MESSAGES = "(no new message)"


class SummarizeThread(Frozen):
    """Run the cycle that makes `generation`, the task's payload."""

    thread: ThreadKey
    generation: int


def summarize_thread(command: SummarizeThread, *, ports: CyclePorts) -> CycleResult:
    """Rewrite the four slots and append to the lorebook from the messages since the cursor.

    The same cycle twice changes nothing. An output that was kept by an earlier attempt is used
    instead of paying again. Raises RetryLaterError where the queue should try again, and
    StaleClaimError where another worker has the cycle.
    """
    key = command.thread
    found = ports.memory.read_cycle(key, command.generation)
    held = hold(key, found, "summary", ports=ports)
    if held is None:
        return CycleResult(cycle_id=cycle_id_of(command.generation), outcome="already_applied")
    try:
        if held.cycle.output is None:
            _summarize(held)
        result = _apply(held)
    except (ModelError, RetryLaterError, DocumentNotFoundError, DocumentMisshapenError) as error:
        result = end_in_failure(held, error)
        _let_import_go(key, ports)
        return result
    ask_if_due(key, ports=ports)
    return result


def ask_if_due(key: ThreadKey, *, ports: CyclePorts) -> None:
    """After a cycle has ended: ask for the next if as much as that is still pending.

    An import that waits goes first.
    """
    if _let_import_go(key, ports):
        return
    pending = ports.threads.read_counter(key).pending_tokens
    if pending >= ports.settings.cycle_trigger_tokens:
        request_cycle(
            key,
            memory=ports.memory,
            tasks=ports.tasks,
            clock=ports.clock,
            settings=ports.settings,
        )


def _let_import_go(key: ThreadKey, ports: CyclePorts) -> bool:
    return start_waiting_import(
        key, memory=ports.memory, threads=ports.threads, tasks=ports.tasks, clock=ports.clock
    )


def _summarize(held: HeldCycle) -> None:
    """Render v5 on the slots as they are and a snapshot, call the model once, keep its answer."""
    key, ports = held.key, held.ports
    held.snapshot = snapshot = take_snapshot(
        key,
        held.read.state,
        threads=ports.threads,
        tokens=ports.tokens,
        clock=ports.clock,
        settings=ports.settings,
    )
    director = read_director(key, ports)
    where = zone_of_soul(key.soul_id, director.soul.time_zone)
    masked = _masked(key, snapshot.read, ports.events)
    held.reading = reading_of(masked, director, where)
    chat = transcript(masked, soul_name=director.bio.display_name, where=where)
    try:
        output = _ask(held, chat, director)
    except ModelBlockedError:
        if len(snapshot.read) == 1:
            _check_that_it_is_the_message(held, director)
        raise
    keep_output(held, output, consumed=snapshot.consumed)


def _ask(held: HeldCycle, chat: str, director: DirectorDocuments) -> Output:
    stored = slots_of(held.ports.memory.read_slots(held.key))
    baseline = memory_document(masked_memory(stored))
    nonce = held.ports.chance.token()
    return ask_model(
        held,
        PROMPT,
        {
            **about_soul(director),
            "memory_document": fence("memory_document", baseline, nonce),
            "soul_default_persona": fence(
                "soul_default_persona", neutralize(director.persona.content), nonce
            ),
            "chat": fence("chat", chat, nonce),
            "nonce": nonce,
        },
    )


def _check_that_it_is_the_message(held: HeldCycle, director: DirectorDocuments) -> None:
    """Ask without any message: what is refused even then is not the user's to lose.

    Raises ModelMisconfiguredError, which blocks the cycle, when memory or persona are refused.
    """
    try:
        _ask(held, NO_MESSAGES, director)
    except ModelBlockedError as error:
        raise ModelMisconfiguredError(
            "the model refuses the memory or the persona, whatever is said"
        ) from error


def _masked(key: ThreadKey, messages: tuple[Message, ...], events: EventLog) -> list[Message]:
    """The chat with secrets masked message by message, before any model sees it."""
    masked = [(message, mask(message.text)) for message in messages]
    kinds = [found.kind for _, redacted in masked for found in redacted.findings]
    report_redactions(key, [("live_chat_history", kind) for kind in kinds], events=events)
    return [message.model_copy(update={"text": redacted.text}) for message, redacted in masked]


def _apply(held: HeldCycle) -> CycleResult:
    """Read the kept output, and write slots, lorebook, cursor, counter and audit at once."""
    ports, tokens = held.ports, held.ports.tokens
    output = kept_output(held)
    written = parse_summary(output.text)
    stored = ports.memory.read_slots(held.key)
    before = slots_of(stored)
    guard(
        written,
        before=before,
        rejections=held.cycle.rejections,
        prompt_body=prompt_of(held, output).body,
        tokens=tokens,
    )
    summary, checked = OutputCheck(held.reading or read_again(held), before).check(written)
    after = summary.as_slots()
    cycle, now = held.cycle, ports.clock.now()
    held.check_lease()
    consumed = cycle.consumed
    turn = held.read.state.turns + (consumed.turns if consumed else 0)
    events = not_told_yet(
        held.key, summary.lorebook, cycle, held.read.state, lorebook=ports.lorebook
    )
    entries = entries_of(events, cycle, turn=turn, now=now)
    change = states.apply(
        held.read,
        before=before,
        after=after,
        entries=len(entries),
        evidence=checked.audit,
        now=now,
    )
    index = grown_index(
        held.key,
        held.read.state,
        entries,
        lorebook=ports.lorebook,
        embedder=ports.embedder,
    )
    held.commit(
        change.model_copy(
            update={
                "state": change.state and change.state.model_copy(update=index.fence),
                "shards": index.shards,
                "embeddings": index.embeddings,
                "slots": rewritten(stored, after, cycle, names=SLOT_NAMES, tokens=tokens, now=now),
                "entries": entries,
                "consumed": consumed
                and Counter(pending_tokens=consumed.tokens, pending_messages=consumed.count),
            }
        )
    )
    result = CycleResult(
        cycle_id=cycle.cycle_id,
        outcome="applied",
        slots_changed=tuple(after.changed_from(before)),
        messages_consumed=consumed.count if consumed else 0,
    )
    _report(held.key, result, latency_ms=output.latency_ms, events=ports.events)
    for reason in checked.refusals:
        report_conflict(held, reason)
    return result


def _report(key: ThreadKey, result: CycleResult, *, latency_ms: int, events: EventLog) -> None:
    """The cycle, and each slot that it left as it was."""
    events.emit(
        RunDmMemoryUpdate(
            thread_id=key.soul_id,
            soul_id=key.soul_id,
            cycle_id=result.cycle_id,
            slots_changed=result.slots_changed,
            messages_consumed=result.messages_consumed,
            latency_ms=latency_ms,
        )
    )
    for slot in SLOT_NAMES:
        if slot not in result.slots_changed:
            events.emit(
                NoUpdateDmMemorySlot(
                    thread_id=key.soul_id,
                    soul_id=key.soul_id,
                    cycle_id=result.cycle_id,
                    slot=slot,
                )
            )
