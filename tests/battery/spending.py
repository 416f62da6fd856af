"""What users' days say was spent, held against the records of their calls."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from google.cloud.firestore import Client


@dataclass
class Spent:
    """One user's days: what they sum up to by their own account, and the records of the calls."""

    calls: int = 0
    tokens: int = 0
    records: list[int] = field(default_factory=list)

    def problems(self, *, calls: int) -> Iterator[str]:
        """The sums are those of the records, and no call that was made went unreserved."""
        if (self.calls, self.tokens) != (len(self.records), sum(self.records)):
            yield f"{self.calls} calls and {self.tokens} tokens were summed up of {self.records}"
        if len(self.records) < calls:
            yield f"{calls} model calls, {len(self.records)} of them reserved"


def read_spending(client: Client) -> dict[str, Spent]:
    """Every user of the project, by id."""
    spent: dict[str, Spent] = defaultdict(Spent)
    for day in client.collection_group("budgets").stream():
        if day.reference.path.startswith("users/"):
            of, body = spent[day.reference.path.split("/")[1]], day.to_dict() or {}
            of.calls += body.get("calls", 0)
            of.tokens += body.get("tokens", 0)
    for record in client.collection_group("calls").stream():
        of = spent[record.reference.path.split("/")[1]]
        of.records.append((record.to_dict() or {})["tokens"])
    return spent
