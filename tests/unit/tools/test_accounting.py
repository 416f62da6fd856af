"""The reckoning of a thread: each way in which a message can go missing shows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.model.cycle import Consumed, Cycle
from shared.model.thread import Counter, MessageRef
from tools.accounting import Accounts, StoredMessage, settle_accounts

START = datetime(2026, 5, 28, tzinfo=UTC)
TOKENS = 10


def message(number: int, token_count: int | None = TOKENS) -> StoredMessage:
    place = MessageRef(created_at=START + timedelta(minutes=number), message_id=f"m{number}")
    return StoredMessage(ref=place, token_count=token_count)


def cycle(generation: int, first: int, last: int, *, claimed: int | None = None) -> Cycle:
    count = last - first + 1 if claimed is None else claimed
    return Cycle(
        cycle_id=f"{generation:06d}",
        kind="summary",
        status="applied",
        requested_at=START,
        consumed=Consumed(
            first=message(first).ref,
            last=message(last).ref,
            count=count,
            tokens=count * TOKENS,
            readable=count,
            window_start=message(first).ref,
        ),
    )


def settle(
    messages: Sequence[StoredMessage],
    cycles: Sequence[Cycle],
    *,
    cursor: int | None,
    pending: int,
    sent: int = 10,
) -> Accounts:
    return settle_accounts(
        sent=sent,
        messages=messages,
        cycles=cycles,
        cursor=None if cursor is None else message(cursor).ref,
        counter=Counter(pending_messages=pending, pending_tokens=pending * TOKENS),
    )


TEN = [message(number) for number in range(10)]
TWO_CYCLES = [cycle(1, 0, 3), cycle(2, 4, 7)]


def test_a_thread_without_a_cycle_adds_up() -> None:
    accounts = settle(TEN, [], cursor=None, pending=10)
    assert accounts.balanced
    assert (accounts.stored, accounts.tokens, accounts.pending_messages) == (10, 100, 10)


def test_a_thread_with_cycles_adds_up_in_any_order_of_reading() -> None:
    accounts = settle(TEN[::-1], TWO_CYCLES, cursor=7, pending=2)
    assert accounts.balanced
    assert accounts.consumed_messages == 8


def test_messages_of_one_moment_are_told_apart_by_their_ids() -> None:
    moment = message(0).ref.created_at
    messages = [
        replace(one, ref=MessageRef(created_at=moment, message_id=one.ref.message_id))
        for one in TEN
    ]
    consumed = cycle(1, 0, 3).consumed
    assert consumed is not None
    ends = {"first": messages[0].ref, "last": messages[3].ref}
    first = cycle(1, 0, 3).model_copy(update={"consumed": consumed.model_copy(update=ends)})
    accounts = settle_accounts(
        sent=10,
        messages=messages,
        cycles=[first],
        cursor=messages[3].ref,
        counter=Counter(pending_messages=6, pending_tokens=60),
    )
    assert accounts.balanced


@pytest.mark.parametrize(
    ("accounts", "lost", "problem"),
    [
        pytest.param(
            settle(TEN[:9], TWO_CYCLES, cursor=7, pending=1),
            1,
            "10 messages were sent, 9 are stored",
            id="not stored",
        ),
        pytest.param(
            settle([*TEN[:9], message(9, None)], TWO_CYCLES, cursor=7, pending=1),
            1,
            "1 stored messages were never counted",
            id="not counted",
        ),
        pytest.param(
            settle(TEN, [cycle(1, 0, 3), cycle(2, 5, 7)], cursor=7, pending=2),
            1,
            "1 messages before the cursor are in no cycle",
            id="skipped by the cursor",
        ),
        pytest.param(
            settle(TEN, [cycle(1, 0, 4), cycle(2, 4, 7)], cursor=7, pending=2),
            1,
            "1 messages were taken more than once",
            id="in two cycles",
        ),
        pytest.param(
            settle(TEN, [cycle(1, 0, 3), cycle(2, 4, 7, claimed=3)], cursor=7, pending=2),
            1,
            "cycle 000002 says 3 messages and 30 tokens, its bounds hold 4 and 40",
            id="consumed too few",
        ),
        pytest.param(
            settle(TEN, TWO_CYCLES, cursor=7, pending=1),
            1,
            "the counter says 1 messages and 10 tokens are pending, "
            "stored after the cursor are 2 and 20",
            id="counter too low",
        ),
        pytest.param(
            settle(TEN, TWO_CYCLES, cursor=7, pending=3),
            0,
            "the counter says 3 messages and 30 tokens are pending, "
            "stored after the cursor are 2 and 20",
            id="counter too high",
        ),
    ],
)
def test_what_does_not_add_up_shows(accounts: Accounts, lost: int, problem: str) -> None:
    assert not accounts.balanced
    assert accounts.lost == lost
    assert problem in accounts.problems
