"""A thread whose seed has read one play, and what its user plays after it."""

from datetime import datetime, timedelta

from shared.errors import RetryLaterError
from shared.importing.load_recent_memories import (
    LoadRecentMemories,
    MemoriesLoaded,
    load_recent_memories,
)
from shared.model.cycle import Cycle
from shared.model.generation import Generation, ModelRequest
from shared.model.memory_import import LiveImport
from shared.running.run_cycle import RunCycle, run_cycle
from shared.settings import Settings
from tests.factories import FIRST_MEMORY, KEY, NOW, World, play, play_summaries
from tests.fakes import FakeModel

MERGED = """## Long-term memory(LTM)
- [Episode / "강변 레이스" / (시간 불명) / 완주] 소희가 결승선 앞에서 {user}를 기다렸다.
- [Episode / "등대 불빛" / (시간 불명) / 길 잃은 밤] 소희와 {user}는 등대까지 걸었다. (s1)

## Soul persona
### Relational
- 이기려고 하지 않는 모습이 드러났다.

## User persona
### Profile
- 취미: 자전거
### How Soul sees the user
- 끝까지 가는 사람이라고 본다.
"""


def merged(*lines: str) -> str:
    """A v4 output that merges, with these bullets of long-term memory instead of its own."""
    if not lines:
        return MERGED
    _, _, rest = MERGED.partition("\n\n")
    bullets = "\n".join(f"- {line}" for line in lines)
    return f"## Long-term memory(LTM)\n{bullets}\n\n{rest}"


def seeded(*answers: str, **settings: object) -> World:
    """A seed has read play p1 of episode e1, two summaries long; `answers` are for what follows."""
    world = World(
        model=FakeModel(FIRST_MEMORY, *answers),
        settings=Settings.model_validate(
            {"cycle_trigger_tokens": 100, "cycle_max_tokens": 400, "import_wait_seconds": 0}
            | settings
        ),
    )
    world.plays.plays = [play("p1")]
    world.plays.stored_summaries = {"p1": play_summaries("둘이 달렸다.", "결승선에서 기다렸다.")}
    world.seed()
    return world


def played(*answers: str, **settings: object) -> World:
    """One more episode was played since the seed."""
    world = seeded(*(answers or (merged(),)), **settings)
    play_more(world)
    return world


def play_more(
    world: World, play_id: str = "p2", *, days_ago: float = 0.0, **changes: object
) -> None:
    """A play of another episode, with a summary."""
    base: dict[str, object] = {
        "episode_id": "e2",
        "episode_number": 2,
        "episode_title": "등대 불빛",
        "last_played_at": ago(days_ago),
    }
    world.plays.plays.append(play(play_id, **(base | changes)))
    world.plays.stored_summaries[play_id] = play_summaries("소희와 {user}는 등대까지 걸었다.")


def play_on(world: World, play_id: str, *texts: str, days_ago: float = 0.0) -> None:
    """A play goes on, and gets summaries."""
    world.plays.plays = [
        one.model_copy(update={"last_played_at": ago(days_ago)}) if one.play_id == play_id else one
        for one in world.plays.plays
    ]
    told = [one.text for one in world.plays.stored_summaries.get(play_id, [])]
    world.plays.stored_summaries[play_id] = play_summaries(*told, *texts)


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def load(world: World, request_id: str = "r1", charge_id: str | None = None) -> MemoriesLoaded:
    """The app asks once."""
    command = LoadRecentMemories(thread=KEY, request_id=request_id, charge_id=charge_id)
    return load_recent_memories(command, ports=world.ports)


def work(world: World) -> None:
    """The queue delivers every task that is on it, once."""
    tasks, world.tasks.queued = dict(world.tasks.queued), {}
    for key, generation, _ in tasks:
        try:
            run_cycle(RunCycle(thread=key, generation=generation), ports=world.ports)
        except RetryLaterError:
            continue


def try_again(world: World, generation: int = 2) -> None:
    """The queue delivers the task of this generation once more."""
    world.tasks.queued = {(KEY, generation, 99): 0}
    work(world)


def import_now(world: World, request_id: str = "r1") -> MemoriesLoaded:
    """The app asks, the queue works, and the app asks again."""
    load(world, request_id)
    work(world)
    return load(world, request_id)


def cycle(world: World, generation: int = 2) -> Cycle:
    found = world.store.read_cycle(KEY, generation).cycle
    assert found is not None
    return found


def live(world: World) -> LiveImport:
    held = world.store.read_import(KEY)
    assert held is not None
    return held.live


def ltm(world: World) -> list[str]:
    """The bullets of long-term memory."""
    return world.store.slots[KEY]["long_term_memory"].content.splitlines()


def meanwhile(world: World, happens: object) -> None:
    """While the model thinks for the next time, `happens` is called."""
    generate = world.model.generate

    def watched(request: ModelRequest) -> Generation:
        world.model.generate = generate  # type: ignore[method-assign]
        happens()  # type: ignore[operator]
        return generate(request)

    world.model.generate = watched  # type: ignore[method-assign]
