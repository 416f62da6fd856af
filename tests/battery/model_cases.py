"""What a model's server may answer, with the class of failure each is, and a server that does."""

import json
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from shared.model.cycle import FailureClass
from tests.battery.models import summary_text
from tests.gemini_server import Answer, GeminiServer, Recorded, error_body, text_answer
from tests.unit.adapters.test_gemini_answers import CASES, answer_of

CaseClass = Literal["transient", "content", "format", "configuration", "retired"]
CLASSES: dict[str, CaseClass] = {
    "ModelUnavailableError": "transient",
    "ModelBlockedError": "content",
    "ModelOutputError": "format",
    "ModelMisconfiguredError": "configuration",
    "ModelNotFoundError": "retired",
}
BUSY = Answer(503, error_body(503, "UNAVAILABLE"))
SHORT_SECONDS = 1.0
_RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37s"}


@dataclass(frozen=True)
class Case:
    """One answer that is none. `in_time` is False for those that only a deadline ends.

    `rest_seconds` is how long the answer says that nobody is to ask again.
    """

    name: str
    answer: Answer
    case_class: CaseClass
    in_time: bool = True
    rest_seconds: int = 0

    @property
    def failure_class(self) -> FailureClass:
        return "configuration" if self.case_class == "retired" else self.case_class


def all_cases() -> list[Case]:
    """The answers of the adapter's own table, an overload that names a pause, and two time-outs."""
    late, drop_by_drop = Answer(body={}, delay_seconds=60), Answer(body="가" * 99, drip_seconds=1)
    quota = error_body(429, "RESOURCE_EXHAUSTED", details=[_RETRY_INFO])
    return [
        *(Case(one["name"], answer_of(one), CLASSES[one["raises"]]) for one in CASES),
        Case("quota with a pause", Answer(429, quota), "transient", rest_seconds=37),
        Case("no answer at all", late, "transient", in_time=False),
        Case("an answer that drips", drop_by_drop, "transient", in_time=False),
    ]


@dataclass
class Script:
    """What the server answers next: the list, then refusals of what holds `refused`, then well."""

    answers: list[Answer] = field(default_factory=list)
    refused: str | None = None
    refusal: Answer = BUSY


class ScriptedServer(GeminiServer):
    """Gemini's REST, answering by a script that each run lays anew; beyond its end it is well."""

    def __init__(self) -> None:
        super().__init__(())
        self.script = Script()
        self._written = 0
        self._writing = threading.Lock()

    def lay(self, script: Script) -> None:
        with self._writing:
            self.script = script
            self.requests.clear()

    def next_answer(self, request: Recorded) -> Answer:
        with self._writing:
            self.requests.append(request)
            script = self.script
            if script.answers:
                return script.answers.pop(0)
            asked = json.dumps(request.body, ensure_ascii=False)
            if script.refused is not None and script.refused in asked:
                return script.refusal
            self._written += 1
            return text_answer(summary_text(self._written))


def dealt(cases: Sequence[Case], workers: int, chance: random.Random) -> list[list[Case]]:
    """The cases shuffled and dealt out; the slow ones do not all fall to one worker."""
    shuffled = sorted(cases, key=lambda one: (one.in_time, chance.random()))
    return [shuffled[part::workers] for part in range(workers)]
