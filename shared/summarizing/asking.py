"""What a cycle asks the model, within budget and breaker, and what is kept of the answer."""

from collections.abc import Sequence

from shared.errors import (
    BudgetExceededError,
    ModelBlockedError,
    ModelMisconfiguredError,
    ModelOutputError,
    StaleClaimError,
)
from shared.events import RedactDmMemorySensitive
from shared.model.cycle import Consumed, Output, PromptUsed
from shared.model.generation import Generation, ModelRequest
from shared.model.prices import cost_microdollars
from shared.model.thread import ThreadKey
from shared.ports import DirectorDocuments, EventLog
from shared.prompting import PromptTemplate, render
from shared.safety.fencing import one_line
from shared.safety.masking import masked_director
from shared.safety.redaction import Redacted, RedactionError, redact
from shared.summarizing import states
from shared.summarizing.memory_document import slot_at
from shared.summarizing.working import CyclePorts, HeldCycle

EXPECTED_OUTPUT_TOKENS = 4_000

LANGUAGES = {"ko": "Korean (한국어, 일상 구어)", "en": "English (plain, everyday)"}


def read_director(key: ThreadKey, ports: CyclePorts) -> DirectorDocuments:
    """The director's documents as a model may read them; what had to be masked is reported."""
    director, sensitive = masked_director(ports.souls.read_soul(key.soul_id))
    report_redactions(key, sensitive, events=ports.events)
    return director


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
