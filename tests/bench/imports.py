"""What importing `main` costs on top of the SDK that every Python function imports."""

import subprocess
import sys
import time

SDK = "from firebase_functions import firestore_fn, https_fn, tasks_fn"
RUNS = 9


def measure() -> dict[str, float]:
    """Best of several runs each, taken in turn, less the time that an empty Python takes."""
    best = {"pass": 9e9, SDK: 9e9, "import main": 9e9}
    for _ in range(RUNS):
        best = {code: min(seconds, _seconds(code)) for code, seconds in best.items()}
    nothing = best["pass"]
    return {"import_ratio": (best["import main"] - nothing) / (best[SDK] - nothing)}


def _seconds(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started
