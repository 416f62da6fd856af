"""What every kind of cycle does around its own work: claim, ask the model once, end in a state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from shared.errors import (
    BudgetExceededError,
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelOutputError,
    RetryLaterError,
    RevisedError,
    StaleClaimError,
)
from shared.events import RedactDmMemorySensitive
from shared.local_time import date, zone
from shared.model.cycle import (
    Consumed,
    Cycle,
    CycleKind,
    Output,
    PromptUsed,
)
from shared.model.generation import Generation, ModelRequest
from shared.model.prices import cost_microdollars
from shared.model.thread import MemoryStatus, ThreadKey
from shared.ports import (
    Breaker,
    Budget,
    BudgetCall,
    Chance,
    Clock,
    CycleRead,
    DirectorDocuments,
    Embedder,
    EventLog,
    HeldImport,
    Lorebook,
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
from shared.prompting import PromptTemplate, render
from shared.retention import with_expiry
from shared.rolling_back.rollback_ports import Rollbacks
from shared.safety.fencing import one_line
from shared.safety.masking import masked_director
from shared.safety.redaction import Redacted, RedactionError, redact
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
    lorebook: Lorebook
    rollbacks: Rollbacks
    embedder: Embedder | None
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
    budget: Budget
    settings: Settings


@dataclass(slots=True)
class HeldCycle:
    """A cycle that this worker has claimed, as last read or written."""

    key: ThreadKey
    read: CycleRead
    ports: CyclePorts
    snapshot: Snapshot | None = None
    calls: int = 0
    reading: Reading | None = None

    @property
    def cycle(self) -> Cycle:
        """The record, which is always there once it is claimed."""
        if self.read.cycle is None:
            raise StaleClaimError("the cycle's record is gone")
        return self.read.cycle

    def commit(self, change: MemoryChange) -> None:
        """Write, if nobody else has. Raises StaleClaimError.

        A message's edit or deletion moves the fence too, under a lease that is still ours. Where
        it concerns what this cycle has read, RevisedError; else the same is written again.
        """
        now = self.ports.clock.now()
        moved = change.cycle.model_copy(update={"moved_at": now})
        moved = with_expiry(moved, now, self.ports.settings)
        change = change.model_copy(update={"cycle": moved})
        for _ in range(REWRITES):
            try:
                self.read = self.ports.memory.commit(self.key, self.read, change)
                return
            except StaleClaimError:
                self._adopt_fence()
        raise RevisedError("the fence moves faster than this cycle can write")

    def _adopt_fence(self) -> None:
        """Take the fence as it stands now. Raises StaleClaimError where the lease is not ours."""
        known = self.read
        now = self.ports.memory.read_cycle(self.key, self.cycle.generation)
        if now.state.lease is None or now.state.lease != known.state.lease:
            raise StaleClaimError(f"cycle {self.cycle.cycle_id} has moved on")
        self.read = now
        if now.state != known.state or now.cycle != known.cycle:
            raise RevisedError("what this cycle has read has been edited or deleted")

    def next_call(self) -> BudgetCall:
        """The next model call of this attempt, as the budget knows it."""
        self.calls += 1
        where = zone(self.ports.settings.budget_time_zone)
        return BudgetCall(
            uid=self.key.uid,
            day=date(self.ports.clock.now(), where),
            call_id=f"{self.key.soul_id}-{self.cycle.cycle_id}-{self.cycle.attempts}-{self.calls}",
        )

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
    live_import: HeldImport | None = None,
) -> HeldCycle | None:
    """Claim the cycle; None when it is finished or not of this kind.

    `memory_status` and `live_import` are what the thread shows from then on.

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
    shown = {"memory_status": memory_status, "live_import": live_import}
    try:
        held.commit(change.model_copy(update=shown))
    except StaleClaimError:
        _check_that_another_has_it(key, read, ports)
        raise
    return held


def _check_that_another_has_it(key: ThreadKey, read: CycleRead, ports: CyclePorts) -> None:
    """Raises RetryLaterError where no worker was quicker, but a message's edit or deletion."""
    now = ports.memory.read_cycle(key, read.cycle.generation if read.cycle else None)
    if now.cycle == read.cycle and now.state.lease == read.state.lease:
        raise RetryLaterError("memory was revised just as this cycle began")


def read_director(key: ThreadKey, ports: CyclePorts) -> DirectorDocuments:
    """The director's documents as a model may read them; what had to be masked is reported."""
    director, sensitive = masked_director(ports.souls.read_soul(key.soul_id))
    report_redactions(key, sensitive, events=ports.events)
    return director


EXPECTED_OUTPUT_TOKENS = 4_000
REWRITES = 5  # how often a commit is written again, while messages are edited or deleted

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


def prompt_of(held: HeldCycle, output: Output) -> PromptTemplate:
    """The prompt that a kept output was made with.

    Raises ModelOutputError when it has been withdrawn: what it made is asked for anew.
    """
    try:
        return held.ports.prompts.made_with(output.prompt)
    except KeyError as error:
        raise ModelOutputError("the prompt that it was made with is gone") from error


def ask_model(held: HeldCycle, name: str, values: dict[str, str]) -> Output:
    """One model call with the prompt called `name`, within the day's budget.

    The budget is reserved before and settled after; the breaker is asked, and told how it went.
    Raises a ModelError of the class that says what to do next.
    """
    ports = held.ports
    if not ports.breaker.admits():
        raise ModelMisconfiguredError("the breaker is open: wrong settings, several times in a row")
    template = ports.prompts.load(name, held.key)
    blocks = render(template, **values)
    request = ModelRequest(
        system=blocks["system"],
        user=blocks["user"],
        models=(ports.settings.memory_model or template.model, *template.fallback_models),
        temperature=template.temperature,
        reasoning=template.reasoning,
        timeout_seconds=ports.settings.model_timeout_seconds,
    )
    answer = _paid_call(held, request)
    return Output(
        text=answer.text,
        prompt=PromptUsed(name=template.name, version=template.version, sha256=template.sha256),
        cost_microdollars=cost_microdollars(
            answer.model_asked, answer.tokens_in, answer.tokens_out
        ),
        **answer.model_dump(exclude={"text"}),
    )


def _paid_call(held: HeldCycle, request: ModelRequest) -> Generation:
    """Reserve, ask, settle. A call that was not answered is settled by what it was sent."""
    ports = held.ports
    sent = ports.tokens.count(request.system) + ports.tokens.count(request.user)
    call = held.next_call()
    if not ports.budget.reserve(call, sent + EXPECTED_OUTPUT_TOKENS):
        raise BudgetExceededError("the day's budget for memory is spent")
    spent = 0
    try:
        answer = ports.model.generate(request)
        spent = answer.tokens_in + answer.tokens_out
    except ModelMisconfiguredError:
        ports.breaker.record(configured=False)
        raise
    except (ModelBlockedError, ModelOutputError):
        spent = sent
        raise
    finally:
        ports.budget.settle(call, spent)
    ports.breaker.record(configured=True)
    return answer


def keep_output(held: HeldCycle, output: Output, *, consumed: Consumed | None = None) -> None:
    """Mask what is sensitive in the output, and keep it before anything is made of it."""
    held.check_lease()
    redacted = redacted_output(output.text)
    slots = [(slot_at(output.text, found.start), found.kind) for found in redacted.findings]
    kept = output.model_copy(update={"text": redacted.text})
    held.commit(states.keep_output(held.read, output=kept, consumed=consumed))
    report_redactions(held.key, slots, events=held.ports.events)


def redacted_output(text: str) -> Redacted:
    """What a model wrote, masked. Raises ModelOutputError where it cannot be made safe."""
    try:
        return redact(text)
    except RedactionError as error:
        raise ModelOutputError("the output cannot be made safe") from error


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
