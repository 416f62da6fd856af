"""All scenarios, the longest first: two run side by side."""

from tests.battery.backlog import backlog
from tests.battery.crashes import crashes
from tests.battery.crowds import crowd, together
from tests.battery.deletion import deletion
from tests.battery.drops import drops
from tests.battery.duplicates import duplicates
from tests.battery.export import export
from tests.battery.imports import imports
from tests.battery.lives import lives
from tests.battery.model_failures import model_failures
from tests.battery.outputs import malformed_outputs
from tests.battery.rollbacks import rollbacks
from tests.battery.runner import Scenario
from tests.battery.stale_workers import stale_workers

SCENARIOS: dict[str, Scenario] = {
    "lives": lives,
    "deletion": deletion,
    "malformed outputs": malformed_outputs,
    "crashes": crashes,
    "together": together,
    "model failures": model_failures,
    "backlog": backlog,
    "imports": imports,
    "stale workers": stale_workers,
    "rollbacks": rollbacks,
    "duplicates": duplicates,
    "crowd": crowd,
    "export": export,
    "drops": drops,
}
