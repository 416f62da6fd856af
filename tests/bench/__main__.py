"""Measure what the product costs: `make bench`, one figure a line as `name value`.

Every figure is a count, a ratio of two times taken in this run, or a score. Exits 1 when one of
them is beyond its limit.
"""

import os
import sys
from collections.abc import Mapping

from tests.bench import composing, costs, counting, imports, memory_calls, page, replying
from tests.web.visiting import LEAST_ACCESSIBILITY, MOST_JAVASCRIPT_BYTES
from tools.emulators import running_firestore, running_suite
from tools.play_world import play_page
from tools.suite_config import free_ports

MOST = {
    "ops_per_message_100": 3.0,
    "ops_per_message_10000": 3.0,
    "compose_round_trips": 3.0,
    "compose_ratio": 1.5,
    "ops_per_reply": 12.0,
    "first_text_ratio": 3.0,
    "import_ratio": 1.25,
    "memory_input_tokens_per_1000": 80_000.0,
    "memory_calls_per_1000": 4.0,
    "page_js_kb": MOST_JAVASCRIPT_BYTES / 1000,
}
LEAST = {"page_accessibility": float(LEAST_ACCESSIBILITY)}


def main() -> int:
    figures = {**imports.measure(), **memory_calls.measure()}
    with running_firestore() as host:
        os.environ["FIRESTORE_EMULATOR_HOST"] = host
        figures |= {**counting.measure(), **composing.measure(), **replying.operations()}
        figures |= costs.measure()
    built = play_page()
    with running_suite({}, page=built, ports=free_ports(with_page=True)) as suite:
        figures |= {**replying.first_text(suite), **page.size(built), **page.accessibility(suite)}
    for name in (*MOST, *LEAST, *costs.NAMES):
        if name in figures:
            print(f"{name} {figures[name]:g}")
    wrong = beyond_limits(figures)
    print("".join(f"{line}\n" for line in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


def beyond_limits(figures: Mapping[str, float]) -> list[str]:
    """Which figures are not as they should be; a score that could not be had is not among them."""
    over = [name for name, most in MOST.items() if figures[name] > most]
    under = [name for name, least in LEAST.items() if figures.get(name, least) < least]
    lines = [f"{name} is over its limit of {MOST[name]:g}" for name in over]
    lines += [f"{name} is under its limit of {LEAST[name]:g}" for name in under]
    if figures["ops_per_message_100"] != figures["ops_per_message_10000"]:
        lines.append("ops_per_message_10000 is not that of 100 messages")
    return lines


if __name__ == "__main__":
    sys.exit(main())
