"""How long hostile text takes to redact, against plain text of the same length, in one run."""

import re
from statistics import median
from time import process_time

from shared.safety.redaction import redact
from tests.safety.figures import Figure, at_least, at_most
from tests.safety.redaction_set import negative_templates

CHARACTERS = 100_000
RUNS = 3
MAX_RATIO = 5.0

# Each makes some detector start again and again: the beginnings of secrets that never end.
SHAPES = {
    "digits": "0",
    "digits apart": "1 ",
    "digits over lines": "1\n",
    "digits with hyphens": "1-",
    "mobile beginnings": "010-",
    "resident numbers cut": "960407-",
    "cards": "4242-4242-4242-4241 ",
    "accounts": "계좌 1234567890 ",
    "circled digits": "⑴",
    "invisible characters": "0\u200b",
    "spelled digits": "공일공",
    "mail beginnings": "a@",
    "domains": "a.",
    "mail spelled out": "a골뱅이",
    "key beginnings": "s" + "k-",
    "token beginnings": "ey" + "J",
    "long key": "AI" + "za" + "A" * 40,
    "assignments": "key=",
    "logins": "://a:",
    "account names": "인스타 @",
    "passwords told": "비번은 ",
    "passwords turned": "1234 비번 ",
    "passwords assigned": "pw: a1 ",
    "passwords changed": "비번 1234 아니고 ",
    "private keys": f"{'-' * 5}BEGIN PRIVATE KEY{'-' * 5}\n",
    "redacted already": "[REDACTED]",
    "quotes": "비번은 '",
    "decomposed Hangul": "\u1107\u1175\u1107\u1165\u11ab",
}


def measure(characters: int = CHARACTERS) -> list[Figure]:
    """The slowest shape's ratio of medians; its name is the detail."""
    words = [line for line in negative_templates() if not re.search("[0-9<@]", line)]
    ratios = ratios_to(of_length("\n".join(words), characters), characters)
    slowest = max(ratios, key=lambda name: ratios[name])
    return [
        at_least("redaction_hostile_shapes", len(SHAPES), 20),
        at_most("redaction_time_ratio", ratios[slowest], MAX_RATIO, slowest),
    ]


def ratios_to(plain: str, characters: int) -> dict[str, float]:
    """By shape. Each is measured between two runs of plain text: other work slows both."""
    ratios = {}
    for name, piece in SHAPES.items():
        hostile, ordinary = of_length(piece, characters), []
        times = []
        for _ in range(RUNS):
            ordinary.append(seconds(plain))
            times.append(seconds(hostile))
        ratios[name] = median(times) / median(ordinary)
    return ratios


def of_length(piece: str, characters: int = CHARACTERS) -> str:
    return (piece * (characters // len(piece) + 1))[:characters]


def seconds(text: str) -> float:
    begun = process_time()
    redact(text)
    return process_time() - begun
