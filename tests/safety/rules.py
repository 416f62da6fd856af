"""Who may touch what: every row as written, and each seen to fail with its rule loosened."""

from collections.abc import Iterable

from tests.rules.conftest import RULES
from tests.rules.rest import Emulator
from tests.safety.figures import Figure, at_least, none_of
from tests.safety.rules_mutants import loosened, opened_wide, shut
from tests.safety.rules_rows import Probe, opened, probes

MIN_ROWS = 350


def measure(host: str) -> list[Figure]:
    """Run the matrix on the rules as they are, then on rules that are wrong on purpose."""
    rules = RULES.read_text(encoding="utf-8")
    every = probes()
    rows = {row for probe in every for row in probe.expected}
    wrong = differences(host, rules, every)
    seen = seen_to_fail(host, rules, every)
    few = opened(every)
    unnoticed = [name for name, mutant in loosened(rules) if not is_noticed(host, mutant, few)]
    return [
        at_least("rules_rows", len(rows), MIN_ROWS),
        none_of("rules_rows_wrong", wrong),
        none_of("rules_rows_never_seen_to_fail", sorted(rows - seen)),
        none_of("rules_loosened_unnoticed", unnoticed),
    ]


def seen_to_fail(host: str, rules: str, every: list[Probe]) -> set[str]:
    """The refusals that fall when everything is open, the permissions that fall when nothing is."""
    permitting = [probe for probe in every if any(probe.expected.values())]
    refused = differences(host, opened_wide(rules), every)
    return {*refused, *differences(host, shut(rules), permitting)}


def differences(host: str, rules: str, every: Iterable[Probe]) -> list[str]:
    """The rows that these rules answer otherwise than is written."""
    emulator = _with_rules(host, rules)
    return [row for probe in every for row in _differing(probe, emulator)]


def is_noticed(host: str, rules: str, every: Iterable[Probe]) -> bool:
    """Whether any row differs; stops at the first."""
    emulator = _with_rules(host, rules)
    return any(_differing(probe, emulator) for probe in every)


def _differing(probe: Probe, emulator: Emulator) -> list[str]:
    answered = probe.try_it(emulator)
    return [row for row, expected in probe.expected.items() if answered[row] != expected]


def _with_rules(host: str, rules: str) -> Emulator:
    emulator = Emulator(host)
    emulator.load_rules(rules)
    return emulator
