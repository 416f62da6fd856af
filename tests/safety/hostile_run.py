"""Hostile texts through count, seed, cycle and compose, on the real use cases and prompts."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from functions.adapters.extractive import ExtractiveModel
from functions.adapters.prompt_files import PromptFiles
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.composing.compose_prompt import ComposePrompt, compose_prompt
from shared.composing.composed import ComposedPrompt
from shared.errors import RetryLaterError
from shared.model.generation import Generation, ModelRequest
from shared.model.play import Scene
from shared.model.slots import Slot
from shared.settings import Settings
from tests.factories import (
    KEY,
    World,
    director,
    message,
    play,
    play_summaries,
)
from tests.fakes import FakeModel, FakePlays

PLAIN = "오늘은 필름을 맡겼다"
TOKENS = TiktokenCounter()
PROMPTS = PromptFiles()
EAGER = Settings(cycle_trigger_tokens=1)


class EchoingModel(FakeModel):
    """Makes memory of the prompt's own sentences, so that hostile words come back out."""

    def __init__(self) -> None:
        super().__init__()
        self._inner = ExtractiveModel(TOKENS)

    def generate(self, request: ModelRequest) -> Generation:
        self.requests.append(request)
        return self._inner.generate(request)


@dataclass
class Seen:
    """Everything that a model would have been sent for one text."""

    text: str
    first: ComposedPrompt
    last: ComposedPrompt
    requests: list[ModelRequest] = field(default_factory=list)
    is_remembered: bool = False


def run(text: str) -> Seen:
    """The text as message of both, as persona, title, summary and scene. Raises what crashes."""
    world = World(model=EchoingModel(), tokens=TOKENS, prompts=PROMPTS, settings=EAGER)
    world.store.threads[KEY] = world.store.threads[KEY].model_copy(
        update={"memory_status": "empty"}
    )
    world.say(message(0, text), message(1, f"그랬구나 {text}"), message(2, PLAIN))
    first = compose(world)
    # A director's persona is data in v4 and v5, and the director's own word in the chat prompt.
    world.store.souls[KEY.soul_id] = director(persona=text if text.strip() else PLAIN)
    is_remembered = _summarized(world)
    world.store.souls[KEY.soul_id] = director()
    return Seen(text, first, compose(world), [*_seeded(text), *world.model.requests], is_remembered)


def compose(world: World) -> ComposedPrompt:
    return compose_prompt(
        ComposePrompt(thread=KEY),
        ports=world.composing(),
    ).prompt


def _summarized(world: World) -> bool:
    """Two tries, as the queue would give a cycle whose output does not read."""
    for _ in range(2):
        try:
            return world.summarize().outcome == "applied"
        except RetryLaterError:
            continue
    return False


def _seeded(text: str) -> Iterable[ModelRequest]:
    """The text as title and summary, then as title and scene."""
    stored, scenes = FakePlays(), FakePlays()
    stored.plays = scenes.plays = [play("p1", episode_title=text)]
    stored.stored_summaries["p1"] = play_summaries(text, PLAIN)
    scenes.stored_scenes["p1"] = [Scene(index=0, text=text), Scene(index=1, text=PLAIN)]
    for plays in (stored, scenes):
        world = World(model=EchoingModel(), tokens=TOKENS, prompts=PROMPTS, plays=plays)
        slot = Slot(content=f"- {text}", version=1)
        world.store.slots[KEY] = {"soul_relational_persona": slot}
        with suppress(RetryLaterError):
            world.seed()
        yield from world.model.requests
