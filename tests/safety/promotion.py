"""Labels that rise and quarrels that are called settled, as figures (PRD §4.5, §5.3, §7)."""

from tests.safety.figures import Figure, at_least, none_of
from tests.unit.safety.test_promotion import CASES, verdict_of

LEAST_CASES = 80
LEAST_RIGHT = 0.95


def measure() -> list[Figure]:
    """How many cases are judged right, and which rises stay without a line that states them."""
    verdicts = [(case, verdict_of(case)) for case in CASES]
    wrong = [str(case["why"]) for case, verdict in verdicts if verdict != case["is"]]
    kept = [
        str(case["why"]) for case, verdict in verdicts if case["is"] != "kept" and verdict == "kept"
    ]
    share = 1 - len(wrong) / len(CASES)
    return [
        at_least("promotion_cases", len(CASES), LEAST_CASES),
        at_least("promotion_right", share, LEAST_RIGHT, "; ".join(wrong)),
        none_of("promotion_kept_without_evidence", kept),
    ]
