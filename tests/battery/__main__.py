"""Run the battery: `make battery`, a line a scenario. `SEED=7 make battery` repeats a run.

Named scenarios run alone: `python -m tests.battery drops crowd`.
"""

import os
import sys

from tests.battery.runner import Job, last_line, report, run_all
from tests.battery.scenarios import SCENARIOS
from tools.emulators import running_firestore

SEED = 20_260_528
PROCESSES = 2


def main(names: list[str]) -> int:
    seed = int(os.environ.get("SEED") or SEED)
    jobs = [Job(name, one, seed) for name, one in SCENARIOS.items() if not names or name in names]
    print(f"battery: SEED={seed}", flush=True)
    tallies = []
    with running_firestore() as host:
        os.environ["FIRESTORE_EMULATOR_HOST"] = host
        for done in run_all(jobs, processes=PROCESSES):
            report(done)
            tallies.append(done.tally)
    print(last_line(tallies))
    return 1 if any(one.failures for one in tallies) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
