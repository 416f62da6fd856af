"""What model calls cost: list prices as data, so that each cycle's audit can say what it cost.

US dollars for a million tokens, input and output, for text up to 200,000 tokens; the provider's
own bill is what counts. A model that is not listed has no cost in the audit.
"""

from shared.model.base import Frozen


class Price(Frozen):
    """US dollars for a million tokens."""

    tokens_in: float
    tokens_out: float


PRICES: dict[str, Price] = {
    "gemini-3-flash-preview": Price(tokens_in=0.50, tokens_out=3.00),
    "gemini-3.1-flash-lite-preview": Price(tokens_in=0.25, tokens_out=1.50),
    "gemini-2.5-flash": Price(tokens_in=0.30, tokens_out=2.50),
    "gemini-2.5-flash-lite": Price(tokens_in=0.10, tokens_out=0.40),
    "extractive-stand-in": Price(tokens_in=0.0, tokens_out=0.0),
}


def cost_microdollars(model: str, tokens_in: int, tokens_out: int) -> int | None:
    """The call's cost in millionths of a dollar; None for a model without a known price."""
    price = PRICES.get(model)
    if price is None:
        return None
    return round(tokens_in * price.tokens_in + tokens_out * price.tokens_out)
