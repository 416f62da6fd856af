"""What traffic costs a month, worked out from measured operations (`make costs`).

Operations and tokens are measured: docs/operations/figures.txt, from `python -m tests.bench.costs`.
Prices and assumptions stand in docs/operations/prices.json and shared/model/prices.py. Prints the
table of docs/operations.md; `--write` puts it there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.model.prices import PRICES
from tools.toolchain import ROOT

GUIDE = ROOT / "docs" / "operations.md"
FIGURES = ROOT / "docs" / "operations" / "figures.txt"
LIST_PRICES = ROOT / "docs" / "operations" / "prices.json"
OPENING, CLOSING = "<!-- costs: printed by `make costs` -->", "<!-- end of costs -->"


@dataclass(frozen=True)
class Money:
    """Dollars by what they are paid for."""

    firestore: float = 0.0
    memory_model: float = 0.0
    chat_model: float = 0.0
    functions: float = 0.0

    @property
    def total(self) -> float:
        return self.firestore + self.memory_model + self.chat_model + self.functions

    def times(self, count: float) -> Money:
        return Money(*(count * part for part in self._parts()))

    def plus(self, other: Money) -> Money:
        return Money(*map(sum, zip(self._parts(), other._parts(), strict=True)))

    def _parts(self) -> tuple[float, float, float, float]:
        return self.firestore, self.memory_model, self.chat_model, self.functions


@dataclass(frozen=True)
class Costs:
    """Measured figures, list prices and assumptions, by name."""

    figures: Mapping[str, float]
    dollars: Mapping[str, float]
    models: Mapping[str, str]
    assumed: Mapping[str, Any]

    def message(self) -> Money:
        """Written, seen by the app, counted; and an early exit for the server's own mark."""
        return Money(
            firestore=self._firestore(
                reads=1 + self.figures["reads_per_message"],
                writes=1 + self.figures["writes_per_message"],
            ),
            functions=self._runs(self.assumed["seconds_to_count"]) + self.mark(),
        )

    def mark(self) -> float:
        """The invocation that a server's own mark on a message sets off: no operation."""
        return self._runs(self.assumed["seconds_of_an_early_exit"])

    def reply(self) -> Money:
        """One by `generate_reply`, without the messages it becomes; the app sees it begin and end.

        The live window is on average half of what one cycle consumes.
        """
        window = self.figures["messages_per_cycle"] / 2
        tokens_in = (
            self.figures["prompt_tokens_without_live"]
            + window * self.figures["prompt_tokens_per_live_message"]
        )
        return Money(
            firestore=self._firestore(
                reads=self.figures["reads_per_reply"]
                + window
                + self.assumed["recalled_entries"]
                + 2,
                writes=self.figures["writes_per_reply"],
            ),
            chat_model=self._model("chat", tokens_in, self.assumed["reply_tokens_out"]),
            functions=self._runs(self.assumed["seconds_of_a_reply"]),
        )

    def cycle(self) -> Money:
        """One summary cycle and its task; each message it reads is read once."""
        return Money(
            firestore=self._firestore(
                reads=self.figures["reads_per_cycle"], writes=self.figures["writes_per_cycle"]
            ),
            memory_model=self._model(
                "memory", self.figures["cycle_tokens_in"], self.figures["cycle_tokens_out"]
            ),
            functions=self._runs(self.assumed["seconds_of_a_cycle"])
            + 2 * self.dollars["tasks_1000000_operations"] / 1e6,
        )

    def expiry(self) -> Money:
        """A message that the TTL deletes, and the early exit of the delete trigger."""
        deleted = self.dollars["firestore_100000_deletes"] / 1e5
        return Money(firestore=deleted, functions=self.mark())

    def standing(self) -> Money:
        """A month of sweeps that find nothing."""
        runs = 6 * 24 * self.assumed["days_a_month"]
        return Money(
            firestore=runs
            * self._firestore(
                reads=self.figures["reads_per_sweep"], writes=self.figures["writes_per_sweep"]
            ),
            functions=runs * self._runs(self.assumed["seconds_of_a_sweep"])
            + self.dollars["scheduler_job_month"],
        )

    @property
    def messages_a_day(self) -> float:
        """Of one active user: the user's, and the Soul's bubbles."""
        return float(self.assumed["user_messages_a_day"] * (1 + self.assumed["bubbles_a_reply"]))

    def day_of_a_user(self) -> Money:
        """What one active user costs a day."""
        messages = self.messages_a_day
        cycles = messages / self.figures["messages_per_cycle"]
        return (
            self.message()
            .times(messages)
            .plus(self.reply().times(self.assumed["user_messages_a_day"]))
            .plus(self.cycle().times(cycles))
        )

    def month(self, users: int) -> Money:
        """What so many active users a day cost a month."""
        days = users * self.assumed["days_a_month"]
        return self.day_of_a_user().times(days).plus(self.standing())

    def stored_gib(self, users: int) -> float:
        """How much a month's messages add to what is stored."""
        messages = users * self.messages_a_day * self.assumed["days_a_month"]
        return float(messages * self.assumed["stored_kib_a_message"] / 1024**2)

    def _firestore(self, *, reads: float, writes: float) -> float:
        return (
            reads * self.dollars["firestore_100000_reads"]
            + writes * self.dollars["firestore_100000_writes"]
        ) / 1e5

    def _runs(self, seconds: float) -> float:
        second = (
            float(self.assumed["vcpu"]) * self.dollars["functions_vcpu_second"]
            + float(self.assumed["gib"]) * self.dollars["functions_gib_second"]
        )
        return self.dollars["functions_1000000_invocations"] / 1e6 + seconds * second

    def _model(self, which: str, tokens_in: float, tokens_out: float) -> float:
        price = PRICES[self.models[which]]
        return (tokens_in * price.tokens_in + tokens_out * price.tokens_out) / 1e6


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
    return [f"${part:,.{places}f}" for part in (*money._parts(), money.total)]


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
