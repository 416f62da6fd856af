"""The live window after a cycle: the last two pairs (PRD §6.3)."""

import pytest

from shared.model.thread import Role
from shared.summarizing.window import window_start
from shared.turns import turns
from tests.factories import message

ROLES: dict[str, Role] = {"u": "user", "s": "soul"}


@pytest.mark.parametrize(
    ("roles", "start"),
    [
        ("ususus", 2),  # whole pairs
        ("usususu", 2),  # nobody has answered the last one yet
        ("uusssuuss", 0),  # turns of several messages
        ("ususuuss", 2),  # the second pair begins with several
        ("us", 0),  # fewer than two pairs
        ("u", 0),
        ("sss", 0),
        ("sussus", 1),  # the soul wrote first
    ],
)
def test_window_starts_two_pairs_back(roles: str, start: int) -> None:
    messages = [message(n, role=ROLES[role]) for n, role in enumerate(roles)]
    assert window_start(messages) == messages[start].ref


def test_a_turn_is_all_that_one_side_said() -> None:
    messages = [message(n, role=ROLES[role]) for n, role in enumerate("uusuus")]
    assert [len(turn) for turn in turns(messages)] == [2, 1, 2, 1]
