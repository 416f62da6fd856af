"""Random lives: people write, edit, delete and ask again, while cycles run and workers die."""

import random
from collections import Counter
from collections.abc import Iterator

from functions.adapters.extractive import ExtractiveModel
from functions.adapters.tiktoken_counter import TiktokenCounter
from shared.model.generation import Generation, ModelRequest
from shared.ports import Model
from shared.settings import Settings
from tests.battery.arena import Arena
from tests.battery.life import Life
from tests.battery.lost_calls import laid
from tests.battery.runner import Size, Tally, each

STEPS = 50
SETTINGS = Settings(cycle_trigger_tokens=90, settle_seconds=0, import_wait_seconds=0)
ACTIONS = {
    "say": 12,
    "edit": 3,
    "delete": 3,
    "reply": 3,
    "arrive": 12,
    "work": 8,
    "pass_time": 3,
    "rollback": 2,
    "load": 2,
}


def lives(chance: random.Random, size: Size) -> Tally:
    """Whatever happens in whatever order: accounts are exact, and what was taken back is gone."""
    count = size.of(200, 8)
    tally = Tally(f"{count} lives × {STEPS} steps")
    made: Counter[str] = Counter()

    def live(seed: float) -> None:
        life = _live(random.Random(seed))
        stored = life.arena.stored(life.chat)
        made.update(one.kind for one in stored.applied)
        made["gone"] += len(life.gone)
        tally.add(_problems(life), where=f"life {seed}")

    each(live, [chance.random() for _ in range(count)])
    tally.note = (
        f"{made['summary']} summaries, {made['import']} imports, {made['rollback']} rollbacks, "
        f"{made['gone']} texts taken back"
    )
    return tally


def _live(chance: random.Random) -> Life:
    arena = Arena(chance, settings=SETTINGS, model=ExtractiveModel(TiktokenCounter()))
    life = Life(arena, arena.open_chat(), chance)
    arena.model.model = _Overheard(arena.model.model, life)
    for _ in range(STEPS):
        [action] = chance.choices(list(ACTIONS), list(ACTIONS.values()))
        getattr(life, action)()
    life.end()
    return life


class _Overheard:
    """Memory's model, whose requests the life gets to read, and which takes its time."""

    def __init__(self, model: Model, life: Life) -> None:
        self._model = model
        self._life = life

    def generate(self, request: ModelRequest) -> Generation:
        self._life.read(request.user)
        with laid(None):
            self._life.meanwhile()
        return self._model.generate(request)


def _problems(life: Life) -> Iterator[str]:
    arena, chat = life.arena, life.chat
    yield from arena.problems(chat, may_lose=STEPS, takes_back=True)
    yield from arena.own_problems()
    yield from (f"a model was sent {word} after it was taken back" for word in life.seen)
    everything = _texts(life)
    for word in life.gone:
        yield from (
            f"{word} was taken back and stands in {where}"
            for where, text in everything
            if word in text
        )


def _texts(life: Life) -> list[tuple[str, str]]:
    stored = life.arena.stored(life.chat)
    return [
        *((name, slot.content) for name, slot in stored.slots.items()),
        *((f"entry {name}", one.model_dump_json()) for name, one in stored.entries.items()),
        *((f"undone {name}", one.model_dump_json()) for name, one in stored.withdrawn.items()),
        *((f"cycle {name}", one.model_dump_json()) for name, one in stored.cycles.items()),
        ("the prompt", life.prompt()),
    ]
