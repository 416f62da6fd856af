"""Malformed outputs: what a model writes when it does not write what it was asked for."""

import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.battery.desk import Desk, open_arena, open_desk
from tests.battery.models import summary_text
from tests.battery.mutations import Mutated, mutated
from tests.battery.runner import WORKERS, Size, Tally, each
from tests.unit.summarizing.test_memory_document import CASES, output_of

ACCEPTED_SHARE = 0.95
WRITTEN: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("malformed.yaml").read_text(encoding="utf-8")
)
EMPTIES = "nothing stable yet"  # reads well, and would empty a slot that holds something


@dataclass(frozen=True)
class Written:
    """An output written by hand, and whether it may be applied."""

    why: str
    text: str
    is_good: bool


def malformed_outputs(chance: random.Random, size: Size) -> Tally:
    """Written ones, each on a chat of its own, and good ones mutated, one after the other.

    The public fault: failed summaries marked ready. A half answer, an apology or an empty
    section replaces what was remembered. The model is one in memory: what is tried is the reader.
    """
    written = all_written() if size.full else chance.sample(all_written(), 8)
    count = size.of(2_000, 24)
    tally = Tally(f"{len(written)} written + {count} mutated")
    shares = [(written[part::WORKERS], count // WORKERS) for part in range(WORKERS)]
    jobs = [(random.Random(chance.random()), *share) for share in shares]
    verdicts = sum(each(lambda job: _some(tally, *job), jobs), Counter[str]())
    repairable, accepted = verdicts["repairable"], verdicts["repairable applied"]
    few = accepted < ACCEPTED_SHARE * repairable
    tally.add([f"{accepted} of {repairable} repairable were accepted"] if few else [])
    tally.note = (
        f"{accepted} of {repairable} repairable applied, {verdicts['broken']} broken refused, "
        f"{verdicts['chance applied']} of {verdicts['chance']} by chance applied"
    )
    return tally


def all_written() -> list[Written]:
    """The reader's own table, and the battery's."""
    known = [(one, one["why"] != EMPTIES) for one in CASES["accept"]]
    known += [(one, False) for one in CASES["reject"]]
    known += [(one, True) for one in WRITTEN["accept"]]
    known += [(one, False) for one in WRITTEN["refuse"]]
    return [Written(one["why"], _text_of(one), is_good) for one, is_good in known]


def _text_of(case: dict[str, Any]) -> str:
    text = output_of({"replace": case["body"], **case} if "body" in case else case)
    if "many" in case:
        part, times = case["many"]
        text = text.replace(part, part * times)
    return text * 2 if case.get("twice") else text


def _some(tally: Tally, chance: random.Random, written: list[Written], count: int) -> Counter[str]:
    """Some of both, one after the other; answers how many of each kind there were."""
    verdicts: Counter[str] = Counter()
    handing = open_arena(chance)
    for case in written:
        tally.add(_try_written(open_desk(handing), case), where=case.why)
    tally.add(_try_sudden_loss(open_desk(handing)), where="a sudden loss")
    desk, arena = open_desk(handing), handing.arena
    desk.hand_in(summary_text(0))
    for number in range(1, count + 1):
        one = mutated(summary_text(number, entries=chance.randint(1, 3)), chance)
        was_applied, problems = _try_mutated(desk, one)
        verdicts[one.kind] += 1
        verdicts[f"{one.kind} applied"] += was_applied
        tally.add(problems, where=one.why)
    tally.add([*arena.problems(desk.chat), *arena.own_problems()], where="after all outputs")
    return verdicts


def _try_written(desk: Desk, one: Written) -> list[str]:
    """On a memory that holds the base and no event. What is refused is so a second time."""
    eventless, delimiter, _ = str(CASES["base"]).partition("=== LOREBOOK ===")
    _, problems = desk.hand_in(f"{eventless}{delimiter}\n")
    for _ in range(1 if one.is_good else 2):
        was_applied, found = desk.hand_in(one.text)
        problems += found
        if was_applied != one.is_good:
            problems.append("was refused" if one.is_good else "was applied")
    return [*problems, *desk.arena.problems(desk.chat)]


def _try_sudden_loss(desk: Desk) -> list[str]:
    """One bullet left of five: refused, and believed when the next answer says the same."""
    text = summary_text(1)
    bullets = [line for line in text.split("\n") if line.startswith("- [")]
    less = text
    for bullet in bullets[1:]:
        less = less.replace(f"{bullet}\n", "")
    _, problems = desk.hand_in(text)
    verdicts = []
    for _ in range(2):
        was_applied, found = desk.hand_in(less)
        verdicts.append(was_applied)
        problems += found
    return [*problems, *([] if verdicts == [False, True] else [f"applied: {verdicts}"])]


def _try_mutated(desk: Desk, one: Mutated) -> tuple[bool, list[str]]:
    """Beyond repair: refused. Repaired: what is stored is the document it was made from."""
    was_applied, problems = desk.hand_in(one.text, meant=one.meant)
    if was_applied and one.kind == "broken":
        problems.append("was applied")
    return was_applied, problems
