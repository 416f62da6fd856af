"""Planted secrets: found nowhere but where people wrote them."""

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

from shared.errors import SoulMemoryError
from shared.importing.load_recent_memories import LoadRecentMemories, load_recent_memories
from shared.model.thread import ThreadKey
from shared.running.run_cycle import RunCycle, run_cycle
from shared.seeding.seed_memory import SeedMemory, seed_memory
from shared.summarizing.summarize_thread import SummarizeThread, summarize_thread
from tests.factories import SUMMARY
from tests.fakes import FakeModel
from tests.safety.canary_world import BORN, CanaryWorld
from tests.safety.figures import Figure, at_least, none_of
from tests.safety.hostile_run import EchoingModel

PLACES = ("documents", "prompts", "logs", "errors")


def measure() -> list[Figure]:
    """Runs on the emulator that FIRESTORE_EMULATOR_HOST names."""
    planted, leaks = 0, {place: list[str]() for place in PLACES}
    for story in (remembered, written_first, imported, told_by_the_model, gone_wrong):
        with _captured() as log:
            world, errors = story()
        planted += len(world.canaries)
        for path, body in world.made_documents():
            leaks["documents"] += world.canaries.found_in(path, body)
        for prompt in world.prompts:
            leaks["prompts"] += world.canaries.found_in(f"a prompt of {story.__name__}", prompt)
        leaks["logs"] += world.canaries.found_in(story.__name__, log.getvalue())
        leaks["errors"] += world.canaries.found_in(story.__name__, "\n".join(errors))
    counts = [none_of(f"canaries_in_{place}", found) for place, found in leaks.items()]
    return [at_least("canaries_planted", planted, 100), *counts]


Story = tuple[CanaryWorld, list[str]]


def remembered() -> Story:
    """Seeded from summaries, chatted, summarized twice and composed, by an echoing model."""
    world = CanaryWorld(EchoingModel())
    world.write_soul()
    world.write_play("summaries")
    world.compose()
    seed_memory(SeedMemory(thread=world.key), ports=world.ports)
    for place in ("first chat", "second chat"):
        world.say(*world.canaries.tell(place), "현상소에 필름 맡긴 얘기 기억나?")
        world.compose()
        _summarize(world)
        world.compose()
    return world, []


def written_first() -> Story:
    """Seeded from scenes, whose summaries have to be written first."""
    world = CanaryWorld(EchoingModel())
    world.write_soul()
    world.write_play("scenes")
    seed_memory(SeedMemory(thread=world.key), ports=world.ports)
    world.compose()
    return world, []


def imported() -> Story:
    """Seeded from summaries, chatted, and another play brought in later, by an echoing model."""
    world = CanaryWorld(EchoingModel())
    world.write_soul()
    world.write_play("summaries")
    seed_memory(SeedMemory(thread=world.key), ports=world.ports)
    world.say(*world.canaries.tell("chat"))
    world.write_play("scenes")
    request = LoadRecentMemories(thread=world.key, request_id="r1", charge_id="star-7")
    load_recent_memories(request, ports=world.ports)
    run_cycle(RunCycle(thread=world.key, generation=2), ports=world.ports)
    told = load_recent_memories(request, ports=world.ports)
    world.compose()
    return world, [told.model_dump_json()]


def told_by_the_model() -> Story:
    """A model that puts secrets into every slot and every part of the lorebook."""
    model = FakeModel()
    world = CanaryWorld(model)
    world.write_soul()
    world.say("안녕", "응 안녕", "현상소 얘기 하자")
    told = [" ".join(line.split()) for line in world.canaries.tell("output") if "\n" not in line]
    text = SUMMARY
    for line in (
        "{recent}",
        "소희가 필름을 현상소에",
        "사진 이야기를",
        "끝까지 듣는",
        "별명: 필름",
    ):
        text = text.replace(line, f"{' / '.join(told)} {line}")
    text = text.replace("keywords: 필름", f"keywords: {told[5]}, 필름")
    text = text.replace("### 현상소", f"### 현상소 {told[5]}")
    model.answers = [text]
    _summarize(world)
    world.say("현상소 기억나?")
    world.compose()
    return world, []


def gone_wrong() -> Story:
    """Outputs that do not read, and documents that do not fit."""
    model = FakeModel()
    world = CanaryWorld(model)
    world.write_soul()
    world.say(*world.canaries.tell("chat"))
    told = "\n".join(world.canaries.tell("bad output"))
    model.answers = [told, f"=== MEMORY ===\n{told}\n=== LOREBOOK ===\n"]
    errors = [_error_of(lambda: _summarize(world)) for _ in range(2)]
    soul = world.client.document("souls", "broken")
    soul.set({"character_ids": told, "time_zone": told})
    world.client.document("users", "u1", "threads", "broken").set({"created_at": BORN})
    lost = ThreadKey(uid="u1", soul_id="broken")
    errors.append(_error_of(lambda: seed_memory(SeedMemory(thread=lost), ports=world.ports)))
    world.client.document("souls", world.key.soul_id).update({"time_zone": told})
    errors.append(_error_of(world.compose))
    return world, errors


def _summarize(world: CanaryWorld) -> None:
    generation = world.ports.memory.read_cycle(world.key, None).state.generation + 1
    command = SummarizeThread(thread=world.key, generation=generation)
    summarize_thread(command, ports=world.ports)


def _error_of(work: Callable[[], object]) -> str:
    """The text of the error and of all its causes, as a traceback would print it."""
    texts: list[str] = []
    try:
        work()
    except SoulMemoryError as error:
        cause: BaseException | None = error
        while cause is not None:
            texts.append(repr(cause))
            cause = cause.__cause__
    return "\n".join(texts)


@contextmanager
def _captured() -> Iterator[io.StringIO]:
    """Everything that is printed or logged inside."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        with redirect_stdout(log), redirect_stderr(log):
            yield log
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
