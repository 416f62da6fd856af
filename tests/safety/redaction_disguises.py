"""How people, or somebody with a purpose, write the same secret another way."""

import random
from collections.abc import Callable

INVISIBLE = "\u200b\u2060\u200d\ufeff"


def full_width(value: str, chance: random.Random) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in value)


def zero_width(value: str, chance: random.Random) -> str:
    """Two invisible characters somewhere inside."""
    for _ in range(2):
        place = chance.randrange(1, len(value))
        value = value[:place] + chance.choice(INVISIBLE) + value[place:]
    return value


def spaced(value: str, chance: random.Random) -> str:
    """Groups kept apart by spaces, as on a card."""
    return value.replace("-", " ")


def dashed(value: str, chance: random.Random) -> str:
    return value.replace("-", " - ")


def dotted(value: str, chance: random.Random) -> str:
    return value.replace("-", ".")


def bare(value: str, chance: random.Random) -> str:
    return value.replace("-", "")


def broken(value: str, chance: random.Random) -> str:
    """A line break where the last group begins."""
    head, _, tail = value.rpartition("-")
    return f"{head}-\n{tail}"


def bracket(value: str, chance: random.Random) -> str:
    return value.replace("-", ")", 1)


def wrapped(value: str, chance: random.Random) -> str:
    """A line break in the middle of a long key, as a narrow window copies it."""
    middle = len(value) // 2
    return f"{value[:middle]}\n{value[middle:]}"


DISGUISES: dict[str, Callable[[str, random.Random], str]] = {
    function.__name__: function
    for function in (
        full_width,
        zero_width,
        spaced,
        dashed,
        dotted,
        bare,
        broken,
        bracket,
        wrapped,
    )
}
