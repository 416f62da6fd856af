"""Two hundred claims at once on a day's budget: never over it, and settled to the token."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from google.cloud import firestore

from functions.adapters.firestore.budget import FirestoreBudget
from shared.ports import BudgetCall
from tests.safety.figures import Figure, at_least, at_most

CLAIMS = 200
LIMIT = 10_000
RESERVED_EACH = 170
WORKERS = 16


def measure() -> list[Figure]:
    """Runs on the emulator that FIRESTORE_EMULATOR_HOST names."""
    client = firestore.Client(project=f"demo-{uuid4().hex[:12]}")
    account = FirestoreBudget(client, {"user": (0, LIMIT), "project": (0, 0)})
    calls = [BudgetCall(uid="u1", day="2026-05-28", call_id=f"c{n}") for n in range(CLAIMS)]
    costs = {call.call_id: 100 + number for number, call in enumerate(calls)}
    with ThreadPoolExecutor(WORKERS) as pool:
        admitted = list(pool.map(lambda call: account.reserve(call, RESERVED_EACH), calls))
        winners = [call for call, is_in in zip(calls, admitted, strict=True) if is_in]
        reserved = _tokens(client, "users", "u1", "budgets", "2026-05-28")
        # Each is settled twice, as a worker would that lost the first answer.
        list(pool.map(lambda call: account.settle(call, costs[call.call_id]), winners * 2))
    owed = sum(costs[call.call_id] for call in winners)
    settled = [
        _tokens(client, "users", "u1", "budgets", "2026-05-28"),
        _tokens(client, "budgets", "2026-05-28"),
    ]
    return [
        at_least("budget_claims_admitted", len(winners), 1),
        at_most("budget_overspent_tokens", max(0, reserved - LIMIT), 0),
        at_most("budget_unsettled_tokens", sum(abs(one - owed) for one in settled), 0),
    ]


def _tokens(client: firestore.Client, *path: str) -> int:
    return int((client.document(*path).get().to_dict() or {}).get("tokens", 0))
