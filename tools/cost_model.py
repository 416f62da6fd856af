"""What one message, one reply and one cycle cost, by what is paid for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.model.prices import PRICES


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
        return Money(*(count * part for part in self.parts))

    def plus(self, other: Money) -> Money:
        return Money(*map(sum, zip(self.parts, other.parts, strict=True)))

    @property
    def parts(self) -> tuple[float, float, float, float]:
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
