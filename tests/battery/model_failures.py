"""Every way in which a model fails, at the first, a middle and the last attempt, and for long."""

import logging
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import google.genai  # noqa: F401  # slow: the first call's deadline is not for it

from functions.adapters.gemini import GeminiModel
from tests.battery.arena import Arena
from tests.battery.model_cases import Case, ScriptedServer, all_cases, dealt
from tests.battery.model_persisting import persisting
from tests.battery.model_runs import POSITIONS, SETTINGS, at_position, unharmed
from tests.battery.runner import WORKERS, Size, Tally, each

CUT = 5


def model_failures(chance: random.Random, size: Size) -> Tally:
    """The real google-genai client against a server that gives each answer there is.

    The public fault: a 503 that skips a memory, a refusal that stops a chat's memory for good, a
    wrong key that is tried thousands of times, a cut answer that overwrites what was there.
    """
    cases = all_cases() if size.full else chance.sample(all_cases(), CUT)
    tally = Tally(f"{len(cases)} cases × first, middle, last, persisting")
    with warnings.catch_warnings(), _fewer_warnings():
        warnings.filterwarnings("ignore", message=".*is not a valid", category=UserWarning)
        each(lambda share: _some(tally, chance, share), dealt(cases, WORKERS, chance))
    return tally


@contextmanager
def _fewer_warnings() -> Iterator[None]:
    """Without the adapter's line for each retired model, of which there are hundreds here."""
    log = logging.getLogger("functions.adapters.gemini")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)


def _some(tally: Tally, chance: random.Random, cases: list[Case]) -> None:
    """One arena and one server for some of the cases, one after the other."""
    with ScriptedServer() as server:
        model = GeminiModel(monotonic=monotonic, api_key="a-key", base_url=server.url)
        arena = Arena(chance, settings=SETTINGS, model=model)
        tally.add(unharmed(arena, server), where="no failure")
        for case in cases:
            for position in POSITIONS:
                where = f"{case.name}, {position} attempt"
                tally.add(at_position(arena, server, case, position), where=where)
            tally.add(persisting(arena, server, case), where=f"{case.name}, persisting")
        tally.add(arena.own_problems())
