"""Models of the battery: an author who always writes well, and a ledger of what was paid."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.model.generation import Generation, ModelRequest
from shared.model.thread import ThreadKey
from shared.ports import Model
from shared.summarizing.summarize_thread import NO_MESSAGES
from tests.battery.lost_calls import laid, remote

BULLETS = 5


@dataclass
class Paid:
    """What one thread asked of the model. `checks` are calls that carry no message."""

    calls: int = 0
    answered: int = 0
    checks: int = 0


@dataclass
class Ledger:
    """Who asked how often; the thread at work is named by `working_on`."""

    paid: dict[ThreadKey, Paid] = field(default_factory=lambda: defaultdict(Paid))
    _at_work: threading.local = field(default_factory=threading.local)

    @contextmanager
    def working_on(self, key: ThreadKey) -> Iterator[None]:
        before = getattr(self._at_work, "key", None)
        self._at_work.key = key
        try:
            yield
        finally:
            self._at_work.key = before

    @property
    def key(self) -> ThreadKey:
        """The thread that this worker works on."""
        found: ThreadKey = self._at_work.key
        return found


@dataclass
class WatchedModel:
    """A `Model` whose calls are entered in the ledger, and may be lost like any other.

    `meanwhile` is what goes on in the thread while the model thinks.
    """

    model: Model
    ledger: Ledger
    meanwhile: Callable[[ThreadKey], None] = lambda key: None

    def generate(self, request: ModelRequest) -> Generation:
        def call() -> Generation:
            paid = self.ledger.paid[self.ledger.key]
            with laid(None):
                self.meanwhile(self.ledger.key)
            if NO_MESSAGES in request.user:
                paid.checks += 1
                return self.model.generate(request)
            paid.calls += 1
            answer = self.model.generate(request)
            paid.answered += 1
            return answer

        return remote("model", call)


def written(request: ModelRequest, number: int) -> str:
    """A good answer to whichever of the three memory prompts this is."""
    if "<data chat " in request.user:
        return summary_text(number)
    if "<data episodes " in request.user:
        return first_memory_text(number)
    return f"- {number}번째로 함께 달렸다.\n- 소희가 결승선에서 기다렸다."


def summary_text(number: int, *, entries: int | None = None) -> str:
    """A v5 document with one lorebook entry or more, its own by `number`."""
    count = 1 + number % 3 if entries is None else entries
    events = "\n".join(
        f"### {number}번 일의 {index}째 장면\n- keywords: 필름, 장면{index}\n"
        f"- 시점: 2026-05-28 (목)\n- 기록: 소희가 {number}번째 필름을 {index}째로 맡겼다."
        for index in range(count)
    )
    recent = f"## Recent context\n- {number}번째 이야기를 이어 간다."
    return f"=== MEMORY ===\n{recent}\n\n{first_memory_text(number)}\n=== LOREBOOK ===\n{events}\n"


def first_memory_text(number: int) -> str:
    """A v4 document: three slots, which change from one number to the next."""
    bullets = "\n".join(
        f"- [Messenger / DM / 2026-05-28 (목) / 기억 {one}] 소희가 {one}번째 필름을 맡겼다."
        for one in range(number, number + BULLETS)
    )
    return f"""## Long-term memory(LTM)
{bullets}

## Soul persona
### Relational
- 사진 이야기를 할 때 말이 빨라진다.

## User persona
### Profile
- 별명: 필름
### How Soul sees the user
- {number % 3}번쯤 되묻는 사람으로 본다.
"""


@dataclass
class Author:
    """A model that writes what was asked for; each answer differs from the one before."""

    texts: Callable[[ModelRequest, int], str] = written
    _number: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def generate(self, request: ModelRequest) -> Generation:
        with self._lock:
            self._number += 1
            number = self._number
        text = self.texts(request, number)
        return Generation(
            text=text,
            model_asked=request.models[0],
            model_answered=request.models[0],
            tokens_in=len(request.user),
            tokens_out=len(text),
            latency_ms=1,
        )
