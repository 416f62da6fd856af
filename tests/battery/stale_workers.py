"""Stale workers: paused past the lease, overtaken, and woken in the middle of what they did."""

import random
from contextlib import suppress
from dataclasses import dataclass, field

from tests.battery.arena import Arena
from tests.battery.chats import Chat
from tests.battery.crash_stories import MESSAGE, SEED, SETTINGS, Story, tell
from tests.battery.lost_calls import CrashedError, Plan, laid
from tests.battery.runner import WORKERS, Size, Tally, each
from tests.battery.stored import read_versions
from tests.battery.task_queue import Task

PAST_LEASE = SETTINGS.lease_seconds + 1
CLAIMS = {MESSAGE.name: ("cycle commit", 1), SEED.name: ("seed commit", 2)}


def stale_workers(chance: random.Random, size: Size) -> Tally:
    """A first worker stops at some remote call; a second takes the cycle over, to its end or not.

    The public fault: a late worker that commits what it read long ago, rewinds the boundary and
    overwrites a newer memory.
    """
    runs = size.of(200, 12)
    tally = Tally(f"{runs} workers overtaken")
    shares = [runs // WORKERS + (part < runs % WORKERS) for part in range(WORKERS)]
    jobs = [(random.Random(chance.random()), share) for share in shares]
    each(lambda job: _some(tally, *job), jobs)
    return tally


def _some(tally: Tally, chance: random.Random, runs: int) -> None:
    """One arena, since time passes in it; its runs follow one another."""
    arena = Arena(chance, settings=SETTINGS)
    seen = {
        story.name: tell(arena, story, chance, None, "before").plan.seen
        for story in (MESSAGE, SEED)
    }
    for _ in range(runs):
        story = chance.choice((MESSAGE, SEED))
        calls = seen[story.name]
        at = chance.randrange(_claim_of(story, calls), len(calls))
        stop = chance.choice((None, chance.randrange(len(calls))))
        problems = _Overtaking(arena, story, at=at, stop=stop).run(chance)
        tally.add(problems, where=f"{story.name}, paused at {calls[at]}, overtaker ends at {stop}")
    tally.add(arena.own_problems())


def _claim_of(story: Story, calls: list[str]) -> int:
    """Where in the story's calls the claim is made: no lease can be outlived before it."""
    name, number = CLAIMS[story.name]
    return [index for index, call in enumerate(calls) if call == name][number - 1]


@dataclass
class _Overtaking:
    """The first worker pauses at its call `at`; the second dies after its call `stop`, or not."""

    arena: Arena
    story: Story
    at: int
    stop: int | None
    left: dict[str, object] = field(default_factory=dict)

    def run(self, chance: random.Random) -> list[str]:
        """The first must leave the database as the second left it; then all must end well."""
        arena, chat = self.arena, self.story.open(self.arena, chance)
        self.story.tell(arena, chat, Plan(at=self.at, pause=lambda: self._overtake(chat)))
        after = read_versions(arena.client, chat.key)
        late = sorted(path for path in after if after[path] != self.left.get(path))
        arena.clock.pass_time(PAST_LEASE)
        self._second(chat)
        stored = arena.stored(chat)
        return [
            *arena.problems(chat, may_lose=2, stored=stored),
            *([f"the stale worker wrote {late}"] if late else []),
            *(["not exactly one cycle was applied"] if len(stored.applied) != 1 else []),
        ]

    def _overtake(self, chat: Chat) -> None:
        """Time passes, and the second worker takes over; it holds the cycle or has ended it."""
        self.arena.clock.pass_time(PAST_LEASE)
        with suppress(CrashedError), laid(Plan(at=self.stop, mode="after")):
            self._second(chat)
        state = self.arena.ports.memory.read_cycle(chat.key, 1).state
        is_held = state.lease is not None and state.lease.expires_at > self.arena.clock.now()
        if not is_held and not state.generation:
            self._second(chat)
        self.left = read_versions(self.arena.client, chat.key)

    def _second(self, chat: Chat) -> None:
        """What would come again: the thread's event, or the task."""
        if self.story is SEED:
            self.arena.seed(chat)
        else:
            self.arena.work(Task(chat.key, 1, self.arena.clock.now()))
