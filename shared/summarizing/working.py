"""What every kind of cycle does around its own work: claim, ask the model once, end in a state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.errors import (
    DocumentMisshapenError,
    DocumentNotFoundError,
    ModelError,
    RetryLaterError,
    StaleClaimError,
)
from shared.events import ConflictDmMemoryUpdate, RedactDmMemorySensitive
from shared.model.cycle import (
    Consumed,
    Cycle,
    CycleKind,
    CycleResult,
    Failure,
    Output,
    PromptUsed,
)
from shared.model.generation import ModelRequest
from shared.model.thread import MemoryStatus, ThreadKey
from shared.ports import (
    Chance,
    Clock,
    CycleRead,
    DirectorDocuments,
    EventLog,
    Memory,
    MemoryChange,
    Model,
)
from shared.prompting import PromptTemplate, render
from shared.safety.fencing import one_line
from shared.safety.redaction import redact
from shared.settings import Settings
from shared.summarizing import states
from shared.summarizing.memory_document import slot_at

MAX_FORMAT_FAILURES = 2


@dataclass(frozen=True, slots=True)
class Bench:
    """The ports that work on a cycle needs, whatever its kind."""

    memory: Memory
    model: Model
    events: EventLog
    clock: Clock
    chance: Chance
    settings: Settings


@dataclass(slots=True)
class HeldCycle:
    """A cycle that this worker has claimed, as last read or written."""

    key: ThreadKey
    read: CycleRead
    bench: Bench

    @property
    def cycle(self) -> Cycle:
        """The record, which is always there once it is claimed."""
        if self.read.cycle is None:
            raise StaleClaimError("the cycle's record is gone")
        return self.read.cycle

    def commit(self, change: MemoryChange) -> None:
        """Write, if nobody else has. Raises StaleClaimError."""
        self.read = self.bench.memory.commit(self.key, self.read, change)

    def check_lease(self) -> None:
        """Raises StaleClaimError when this worker has outlived its lease."""
        states.check_lease(self.read, now=self.bench.clock.now())


def hold(
    key: ThreadKey,
    read: CycleRead,
    kind: CycleKind,
    *,
    bench: Bench,
    memory_status: MemoryStatus | None = None,
) -> HeldCycle | None:
    """Claim the cycle; None when it is finished or not of this kind.

    Raises RetryLaterError while another worker's lease lives, StaleClaimError when one was
    quicker.
    """
    change = states.claim(
        read,
        kind=kind,
        token=bench.chance.token(),
        now=bench.clock.now(),
        lease=timedelta(seconds=bench.settings.lease_seconds),
    )
    if change is None:
        return None
    held = HeldCycle(key=key, read=read, bench=bench)
    held.commit(change.model_copy(update={"memory_status": memory_status}))
    return held


LANGUAGES = {"ko": "Korean (한국어, 일상 구어)", "en": "English (plain, everyday)"}


def about_soul(director: DirectorDocuments) -> dict[str, str]:
    """The values that every memory prompt takes: the soul's name and the language of memory."""
    language = director.soul.language
    return {
        "soul_name": one_line(director.bio.display_name),
        "language": LANGUAGES.get(language, one_line(language)),
    }


def kept_output(held: HeldCycle) -> Output:
    """The output of a cycle in state `generated`."""
    if held.cycle.output is None:
        raise StaleClaimError("the cycle's output is gone")
    return held.cycle.output


def ask_model(template: PromptTemplate, *, bench: Bench, values: dict[str, str]) -> Output:
    """One model call; the answer comes back redacted, for nothing else may be kept of it.

    Raises a ModelError of the class that says what to do next.
    """
    blocks = render(template, **values)
    models = (bench.settings.memory_model or template.model, *template.fallback_models)
    answer = bench.model.generate(
        ModelRequest(
            system=blocks["system"],
            user=blocks["user"],
            models=models,
            temperature=template.temperature,
            reasoning=template.reasoning,
            timeout_seconds=bench.settings.model_timeout_seconds,
        )
    )
    return Output(
        text=answer.text,
        prompt=PromptUsed(name=template.name, version=template.version, sha256=template.sha256),
        model_asked=answer.model_asked,
        model_answered=answer.model_answered,
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        latency_ms=answer.latency_ms,
    )


def keep_output(held: HeldCycle, output: Output, *, consumed: Consumed | None = None) -> None:
    """Mask what is sensitive in the output, and keep it before anything is made of it."""
    held.check_lease()
    redacted = redact(output.text)
    slots = [(slot_at(output.text, found.start), found.kind) for found in redacted.findings]
    kept = output.model_copy(update={"text": redacted.text})
    held.commit(states.keep_output(held.read, output=kept, consumed=consumed))
    report_redactions(held.key, slots, events=held.bench.events)


def report_redactions(
    key: ThreadKey, findings: Sequence[tuple[str, str]], *, events: EventLog
) -> None:
    """One event a slot and kind, however often it was found there."""
    for slot, kind in dict.fromkeys(findings):
        events.emit(
            RedactDmMemorySensitive(
                thread_id=key.soul_id, soul_id=key.soul_id, slot=slot, kind=kind
            )
        )


Curable = ModelError | RetryLaterError
Incurable = DocumentNotFoundError | DocumentMisshapenError


def end_in_failure(
    held: HeldCycle,
    error: ModelError | RetryLaterError | DocumentNotFoundError | DocumentMisshapenError,
    *,
    memory_status: MemoryStatus | None = None,
) -> CycleResult:
    """Put the cycle into the state its failure belongs to, and let the lease go.

    Answers `rejected` or `blocked`; raises RetryLaterError where time or one more try may cure
    it. The old slots stay in every case. `memory_status` is what the thread shows once the
    cycle is given up.
    """
    cycle_id = held.cycle.cycle_id
    if isinstance(error, RetryLaterError):
        held.commit(states.wait(held.read, failure=None))
        raise error
    failure = _failure_of(error)
    if failure.failure_class == "configuration":
        change = states.block(held.read, failure=failure)
        held.commit(change.model_copy(update={"memory_status": memory_status}))
        return CycleResult(cycle_id=cycle_id, outcome="blocked")
    last_try = held.cycle.format_failures + 1 >= MAX_FORMAT_FAILURES
    if failure.failure_class in {"format", "content"} and last_try:
        change = states.reject(held.read, failure=failure)
        held.commit(change.model_copy(update={"memory_status": memory_status}))
        _report_conflict(held, failure)
        return CycleResult(cycle_id=cycle_id, outcome="rejected")
    held.commit(states.wait(held.read, failure=failure))
    raise RetryLaterError(f"cycle {cycle_id}: {failure.failure_class}") from error


def _failure_of(error: Exception) -> Failure:
    failure_class = error.failure_class if isinstance(error, ModelError) else "configuration"
    return Failure.model_validate({"failure_class": failure_class, "reason": str(error)})


def _report_conflict(held: HeldCycle, failure: Failure) -> None:
    held.bench.events.emit(
        ConflictDmMemoryUpdate(
            thread_id=held.key.soul_id,
            soul_id=held.key.soul_id,
            cycle_id=held.cycle.cycle_id,
            reason=failure.failure_class,
        )
    )
