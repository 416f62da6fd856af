"""What the memory's model reads for a thousand messages, and how often it is asked."""

from functions.adapters.extractive import ExtractiveModel
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.model.generation import Generation, ModelRequest
from shared.ports import Model
from shared.settings import Settings
from tests.bench.texts import text_of
from tests.factories import KEY, World, message
from tests.fakes import FakeModel

MESSAGES = 1_000


class Watched(FakeModel):
    """The extractive stand-in, with a record of what it was asked."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    def generate(self, request: ModelRequest) -> Generation:
        self.requests.append(request)
        return self._model.generate(request)


def measure() -> dict[str, float]:
    """Run every cycle that a thousand messages of forty tokens make due, at the real trigger."""
    tokens = TiktokenCounter()
    model = Watched(ExtractiveModel(tokens))
    world = World(model=model, settings=Settings(), tokens=tokens)
    done = 0
    for number in range(MESSAGES):
        world.say(message(number, text_of(number)))
        if len(world.tasks.queued) > done:
            done += 1
            world.clock.pass_time(60 * MESSAGES)
            if world.summarize(done).outcome != "applied":
                raise AssertionError("a cycle was not applied")
    read = sum(tokens.count(request.system + request.user) for request in model.requests)
    pending = world.store.read_counter(KEY).pending_messages
    if pending + 250 * done != MESSAGES:
        raise AssertionError("messages were lost")
    return {
        "memory_input_tokens_per_1000": float(read),
        "memory_calls_per_1000": float(len(model.requests)),
    }
