"""What each version of a prompt, and each model, made of its cycles (`make compare-prompts`).

Reads the audits of the last days on the project that the environment names, or on the emulators
where FIRESTORE_EMULATOR_HOST leads to them. Prints figures, and nobody's words. One line a version
and model of a memory prompt, so the two sides of a canary stand one below the other.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from functions.adapters.firestore.codec import decode
from functions.adapters.firestore.timeouts import bounded
from shared.errors import DocumentMisshapenError
from shared.model.cycle import Cycle, Output
from shared.safety.evidence import REFUSED

if TYPE_CHECKING:
    from google.cloud.firestore import Client

ENDED = ["applied", "rejected"]
READ_SECONDS = 120.0
HEADINGS = (
    "prompt",
    "sha256",
    "model",
    "applied",
    "refused",
    "lines refused",
    "entries",
    "tokens in",
    "tokens out",
    "latency ms",
    "$ per 1,000",
)
Side = tuple[str, str, str]


@dataclass
class Figures:
    """What became of the outputs of one prompt version, asked of one model."""

    outputs: list[Output] = field(default_factory=list)
    applied: int = 0
    entries: int = 0
    lines: int = 0
    lines_refused: int = 0

    @property
    def refused(self) -> int:
        """Outputs that were read and not applied."""
        return len(self.outputs) - self.applied


def compare(cycles: Iterable[Cycle]) -> dict[Side, Figures]:
    """The figures of each (prompt and version, sha256, model asked), in that order."""
    found: dict[Side, Figures] = {}
    for cycle in cycles:
        for output, applied in _outputs(cycle):
            figures = found.setdefault(_side(output), Figures())
            figures.outputs.append(output)
            if applied:
                figures.applied += 1
                figures.entries += cycle.lorebook_entries
                figures.lines += len(cycle.evidence)
                figures.lines_refused += sum(row.verdict in REFUSED for row in cycle.evidence)
    return dict(sorted(found.items()))


def _outputs(cycle: Cycle) -> Iterator[tuple[Output, bool]]:
    for rejection in cycle.rejections:
        if rejection.output is not None:
            yield rejection.output, False
    if cycle.output is not None:
        yield cycle.output, cycle.status == "applied"


def _side(output: Output) -> Side:
    prompt = output.prompt
    return f"{prompt.name} {prompt.version}", prompt.sha256[:8], output.model_asked


def table(found: dict[Side, Figures]) -> str:
    """The figures as aligned columns; means, but for the latency, which is a median."""
    rows = [HEADINGS, *(_row(side, figures) for side, figures in found.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = (
        "  ".join(
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _row(side: Side, figures: Figures) -> tuple[str, ...]:
    outputs = figures.outputs
    costs = [one.cost_microdollars for one in outputs if one.cost_microdollars is not None]
    return (
        *side,
        str(figures.applied),
        str(figures.refused),
        f"{figures.lines_refused / figures.lines:.1%}" if figures.lines else "-",
        f"{figures.entries / figures.applied:.1f}" if figures.applied else "-",
        f"{statistics.mean(one.tokens_in for one in outputs):,.0f}",
        f"{statistics.mean(one.tokens_out for one in outputs):,.0f}",
        f"{statistics.median(one.latency_ms for one in outputs):,.0f}",
        f"{statistics.mean(costs) / 1_000:.2f}" if costs else "-",
    )


def read_cycles(client: Client, since: datetime) -> Iterator[Cycle]:
    """Every cycle that has ended since then, of everybody."""
    from google.cloud.firestore import FieldFilter

    query: Any = client.collection_group("cycles")
    query = query.where(filter=FieldFilter("status", "in", ENDED))
    query = query.where(filter=FieldFilter("moved_at", ">=", since)).order_by("moved_at")
    for found in query.stream(**bounded(READ_SECONDS)):
        try:
            yield decode(Cycle, found.reference.path, found.to_dict() or {}, cycle_id=found.id)
        except DocumentMisshapenError as error:
            print(f"compare-prompts: passed over {error}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of the last days; one read a cycle."""
    from google.cloud import firestore

    parser = argparse.ArgumentParser(prog="compare-prompts", description=__doc__)
    parser.add_argument("days", type=float, nargs="?", default=7.0)
    given = parser.parse_args(arguments)
    since = datetime.now(UTC) - timedelta(days=given.days)
    found = compare(read_cycles(firestore.Client(), since))
    print(table(found) if found else f"no cycle has ended in the last {given.days:g} days")
    return 0


if __name__ == "__main__":
    sys.exit(main())
