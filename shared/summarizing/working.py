"""What every kind of cycle does around its own work: claim, ask the model once, end in a state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.errors import ModelMisconfiguredError, StaleClaimError
from shared.events import RedactDmMemorySensitive
from shared.model.cycle import (
    Consumed,
    Cycle,
    CycleKind,
    Output,
    PromptUsed,
)
from shared.model.generation import ModelRequest
from shared.model.thread import MemoryStatus, ThreadKey
from shared.ports import (
    Breaker,
    Chance,
    Clock,
    CycleRead,
    DirectorDocuments,
    EventLog,
    Memory,
    MemoryChange,
    Model,
    Plays,
    Prompts,
    Souls,
    Tasks,
    Threads,
    TokenCounter,
)
from shared.prompting import render
from shared.safety.fencing import one_line
from shared.safety.redaction import redact
from shared.settings import Settings
from shared.summarizing import states
from shared.summarizing.checking import Reading
from shared.summarizing.memory_document import slot_at
from shared.summarizing.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class CyclePorts:
    """The ports that work on a cycle needs, whatever its kind."""

    memory: Memory
    threads: Threads
    souls: Souls
    plays: Plays
    model: Model
    prompts: Prompts
    tokens: TokenCounter
    tasks: Tasks
    events: EventLog
    clock: Clock
    chance: Chance
    breaker: Breaker
    settings: Settings


@dataclass(slots=True)
class HeldCycle:
    """A cycle that this worker has claimed, as last read or written."""

    key: ThreadKey
    read: CycleRead
    ports: CyclePorts
    snapshot: Snapshot | None = None
    reading: Reading | None = None

    @property
    def cycle(self) -> Cycle:
        """The record, which is always there once it is claimed."""
        if self.read.cycle is None:
            raise StaleClaimError("the cycle's record is gone")
        return self.read.cycle

    def commit(self, change: MemoryChange) -> None:
        """Write, if nobody else has. Raises StaleClaimError."""
        moved = change.cycle.model_copy(update={"moved_at": self.ports.clock.now()})
        change = change.model_copy(update={"cycle": moved})
        self.read = self.ports.memory.commit(self.key, self.read, change)

    def check_lease(self) -> None:
        """Raises StaleClaimError when this worker has outlived its lease."""
        states.check_lease(self.read, now=self.ports.clock.now())


def hold(
    key: ThreadKey,
    read: CycleRead,
    kind: CycleKind,
    *,
    ports: CyclePorts,
    memory_status: MemoryStatus | None = None,
) -> HeldCycle | None:
    """Claim the cycle; None when it is finished or not of this kind.

    Raises RetryLaterError while another worker's lease lives, StaleClaimError when one was
    quicker.
    """
    change = states.claim(
        read,
        kind=kind,
        token=ports.chance.token(),
        now=ports.clock.now(),
        lease=timedelta(seconds=ports.settings.lease_seconds),
    )
    if change is None:
        return None
    held = HeldCycle(key=key, read=read, ports=ports)
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


def ask_model(name: str, *, ports: CyclePorts, values: dict[str, str]) -> Output:
    """One model call with the prompt called `name`; the breaker is asked, and told how it went.

    Raises a ModelError of the class that says what to do next.
    """
    if not ports.breaker.admits():
        raise ModelMisconfiguredError("the breaker is open: wrong settings, several times in a row")
    template = ports.prompts.load(name)
    blocks = render(template, **values)
    models = (ports.settings.memory_model or template.model, *template.fallback_models)
    request = ModelRequest(
        system=blocks["system"],
        user=blocks["user"],
        models=models,
        temperature=template.temperature,
        reasoning=template.reasoning,
        timeout_seconds=ports.settings.model_timeout_seconds,
    )
    try:
        answer = ports.model.generate(request)
    except ModelMisconfiguredError:
        ports.breaker.record(configured=False)
        raise
    ports.breaker.record(configured=True)
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
    report_redactions(held.key, slots, events=held.ports.events)


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
