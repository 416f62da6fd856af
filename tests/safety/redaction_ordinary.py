"""Ordinary numbers: dates, prices, counts, orders, hotlines, versions, colours, scores."""

import random
from collections.abc import Callable

from tests.safety.redaction_personal import digits


def _date(chance: random.Random) -> str:
    return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"


def _time(chance: random.Random) -> str:
    return f"{chance.randint(0, 23)}:{chance.randint(0, 59):02}"


def _dated(chance: random.Random) -> str:
    return _date(chance).replace("-", "")


def _version(chance: random.Random) -> str:
    return f"{chance.randint(1, 18)}.{chance.randint(0, 20)}.{chance.randint(0, 30)}"


def _hotline(chance: random.Random) -> str:
    return f"{chance.choice(['1588', '1577', '1544', '1899'])}-{digits(chance, 4)}"


def _order(chance: random.Random) -> str:
    return f"{_dated(chance)}-{digits(chance, chance.randint(4, 7))}"


def _price(chance: random.Random) -> str:
    amount = chance.randrange(10, 10 ** chance.randint(3, 7)) * 100
    return f"{amount:,}" if chance.random() < 0.6 else str(amount)


def _score(chance: random.Random) -> str:
    return f"{chance.randint(0, 9)}:{chance.randint(0, 9)}"


def _lotto(chance: random.Random) -> str:
    return " ".join(str(ball) for ball in sorted(chance.sample(range(1, 46), 6)))


VALUES: dict[str, Callable[[random.Random], str]] = {
    "date": _date,
    "time": _time,
    "dated": _dated,
    "price": _price,
    "count": lambda chance: f"{chance.randrange(100, 10**7):,}",
    "small": lambda chance: str(chance.randint(2, 98)),
    "order": _order,
    "order4": lambda chance: f"{chance.randint(1, 9)}{digits(chance, 3)}",
    "order6": lambda chance: digits(chance, 6),
    "tracking": lambda chance: f"{digits(chance, 4)}-{digits(chance, 4)}-{digits(chance, 4)}",
    "tracking4": lambda chance: digits(chance, 4),
    "business": lambda chance: f"{digits(chance, 3)}-{digits(chance, 2)}-{digits(chance, 5)}",
    "hotline": _hotline,
    "version": _version,
    "colour": lambda chance: f"{chance.randrange(16**6):06x}",
    "score": _score,
    "isbn": lambda chance: f"978-89-{digits(chance, 3)}-{digits(chance, 4)}-{digits(chance, 1)}",
    "barcode": lambda chance: f"880{digits(chance, 10)}",
    "sha": lambda chance: f"{chance.randrange(16**8):08x}",
    "seat": lambda chance: f"{chance.choice('ABCDEF')}{chance.randint(1, 30)}",
    "flight": lambda chance: digits(chance, 4),
    "big": lambda chance: "3.14159265358979",
    "epoch": lambda chance: str(1_700_000_000 + chance.randrange(10**8)),
    "lotto": _lotto,
    "birthday": lambda chance: f"{chance.randint(1, 12)}월 {chance.randint(1, 28)}일",
}
