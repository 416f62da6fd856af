"""What traffic costs a month, worked out from measured operations (`make costs`).

Operations and tokens are measured: docs/operations/figures.txt, from `python -m tests.bench.costs`.
Prices and assumptions stand in docs/operations/prices.json and shared/model/prices.py. Prints the
table of docs/operations.md; `--write` puts it there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence

from tools.cost_model import Costs, Money
from tools.toolchain import ROOT

GUIDE = ROOT / "docs" / "operations.md"
FIGURES = ROOT / "docs" / "operations" / "figures.txt"
LIST_PRICES = ROOT / "docs" / "operations" / "prices.json"
OPENING, CLOSING = "<!-- costs: printed by `make costs` -->", "<!-- end of costs -->"


def read_costs() -> Costs:
    """Everything that the table is made of, from its three files."""
    lines = [line.split() for line in FIGURES.read_text("utf-8").splitlines() if line[:1] != "#"]
    told = json.loads(LIST_PRICES.read_text("utf-8"))
    return Costs(
        figures={name: float(value) for name, value in lines},
        dollars=told["dollars"],
        models=told["models"],
        assumed=told["assumed"],
    )


def tables(costs: Costs) -> str:
    """Both tables as markdown: a month by traffic, and what one of each costs."""
    months = [
        [
            f"{users:,}",
            f"{users * costs.messages_a_day:,.0f}",
            *_dollars(costs.month(users), 0),
            f"${costs.month(users).total / users:,.2f}",
            f"{costs.stored_gib(users):,.1f} GiB",
        ]
        for users in costs.assumed["active_users_a_day"]
    ]
    units = {
        "1,000 messages written, seen and counted": costs.message().times(1_000),
        "… of which early exits for the server's own marks": Money(functions=1_000 * costs.mark()),
        "1,000 replies, their messages apart": costs.reply().times(1_000),
        "1,000 summary cycles": costs.cycle().times(1_000),
        "1,000 messages that expire": costs.expiry().times(1_000),
        "a month of sweeps": costs.standing(),
    }
    parts = ("Firestore", "memory's model", "chat's model", "functions", "in all")
    return "\n\n".join(
        [
            _table(
                ("active users a day", "messages a day", *parts, "a user", "stored, added"), months
            ),
            _table(("what", *parts), [[what, *_dollars(one, 3)] for what, one in units.items()]),
        ]
    )


def _dollars(money: Money, places: int) -> list[str]:
    return [f"${part:,.{places}f}" for part in (*money.parts, money.total)]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    ruler = ["---", *("---:" for _ in headings[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, ruler, *rows))


def written(guide: str, told: str) -> str:
    """The guide with this between its two marks. Raises ValueError without them."""
    before, _, rest = guide.partition(OPENING)
    _, mark, after = rest.partition(CLOSING)
    if not mark:
        raise ValueError(f"{GUIDE.name} lacks {OPENING} or {CLOSING}")
    return f"{before}{OPENING}\n{told}\n{CLOSING}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, or put them into the guide."""
    parser = argparse.ArgumentParser(prog="costs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put them into docs/operations.md")
    given = parser.parse_args(arguments)
    told = tables(read_costs())
    if given.write:
        GUIDE.write_text(written(GUIDE.read_text("utf-8"), told), "utf-8")
    else:
        print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
