"""The backlog: the model is down while forty cycles' worth of chat comes in; then it is back."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic

from functions.adapters.gemini import GeminiModel
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.model.thread import Message
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.chats import Chat, lines
from tests.battery.model_cases import BUSY, Script, ScriptedServer
from tests.battery.runner import Size, Tally, each
from tests.battery.stored import StoredThread
from tests.battery.task_queue import Task
from tests.composing_on import composing_on

SETTINGS = Settings()
ROUND = 50
WORDS = 190  # a message of some 400 tokens
BETWEEN = timedelta(minutes=10)
HOURS = timedelta(hours=6)
SWEEPS = 5


def backlog(chance: random.Random, size: Size) -> Tally:
    """Messages for forty cycles arrive while every call is a 503; sweeps run all the while.

    The public fault: after an outage one summary of everything is asked for, which fails for its
    length for ever, while the prompt grows until no model takes it.
    """
    wanted = SETTINGS.cycle_trigger_tokens * size.of(40, 6)
    with ScriptedServer() as server:
        model = GeminiModel(monotonic=monotonic, api_key="a-key", base_url=server.url)
        arena = Arena(chance, settings=SETTINGS, model=model)
        arena.queue.max_attempts = 6
        outage = _Outage(arena, arena.open_chat(), server)
        outage.go_on_until(wanted, chance)
        outage.end()
    stored = arena.stored(outage.chat)
    tally = Tally(f"{outage.tokens:,} tokens, {len(outage.chat.texts)} messages")
    tally.add(outage.problems)
    problems = [*arena.problems(outage.chat, stored=stored), *arena.own_problems()]
    tally.add([*problems, *_bounded(stored, wanted)])
    tally.runs += outage.composed
    tally.note = (
        f"{len(stored.applied)} cycles, {outage.composed} prompts, the longest of "
        f"{outage.longest:,} tokens, {arena.queue.deleted} tasks deleted"
    )
    return tally


@dataclass
class _Outage:
    """A chat that goes on while its memory cannot; its prompt is composed at every step."""

    arena: Arena
    chat: Chat
    server: ScriptedServer
    tokens: int = 0
    composed: int = 0
    longest: int = 0
    problems: list[str] = field(default_factory=list)

    def go_on_until(self, wanted: int, chance: random.Random) -> None:
        """Rounds of messages, tasks and sweeps, with a model that is overloaded."""
        self.server.lay(Script(refused="", refusal=BUSY))
        while self.tokens < wanted:
            self.arena.clock.pass_time(BETWEEN.total_seconds())
            start = len(self.chat.texts)
            now = self.arena.clock.now()
            self._say(lines(ROUND, chance, until=now, start=start, words=WORDS), start)
            self.arena.queue.deliver_due(self.arena.work)
            self.arena.sweep()
            self.compose()
        if self.arena.ports.memory.read_cycle(self.chat.key, None).state.generation:
            self.problems.append("a cycle was applied without a model")

    def _say(self, messages: list[Message], start: int) -> None:
        self.arena.write(self.chat, messages)
        self.tokens += sum(self.arena.tokens.count(one.text) for one in messages)
        each(lambda event: self.arena.deliver(self.chat, event), self.chat.versions[start:])

    def end(self) -> None:
        """The model is back. The sweep rouses the cycle, and each asks for the next."""
        self.server.lay(Script())
        for _ in range(SWEEPS):
            self.arena.clock.pass_time(BETWEEN.total_seconds() * 2)
            self.arena.sweep()
            self.arena.queue.drain(self._work, within=HOURS)

    def _work(self, task: Task) -> bool:
        done = self.arena.work(task)
        self.compose()
        return done

    def compose(self) -> None:
        """The prompt as of now is within its budget, counted anew from its texts."""
        arena, ports = self.arena, self.arena.ports
        prompt = compose_prompt(
            ComposePrompt(thread=self.chat.key),
            ports=composing_on(arena.client, ports, SETTINGS),
        ).prompt
        texts = [part.text for content in prompt.contents for part in content.parts]
        total = sum(map(arena.tokens.count, [prompt.system_instruction, *texts]))
        self.composed += 1
        self.longest = max(self.longest, total)
        if max(total, prompt.token_counts.total) > SETTINGS.prompt_budget_tokens:
            self.problems.append(f"a prompt of {total} tokens")
        last = self.chat.versions[-1].message.text.split()[-1]
        if last not in "".join(texts):
            self.problems.append("the last message is not in the prompt")


def _bounded(stored: StoredThread, wanted: int) -> list[str]:
    """Cycles of a bounded size, and nothing left that makes one due."""
    sizes = [one.consumed.tokens for one in stored.applied if one.consumed]
    most = SETTINGS.cycle_max_tokens
    left = stored.counter.pending_tokens
    return [
        *([f"a cycle of {max(sizes)} tokens"] if max(sizes, default=0) > most else []),
        *([f"{len(sizes)} cycles for {wanted} tokens"] if len(sizes) < wanted / most else []),
        *([f"{left} tokens are still pending"] if left >= SETTINGS.cycle_trigger_tokens else []),
    ]
