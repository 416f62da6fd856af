"""Counting what a piece of work asks of Firestore, at the client's own RPC layer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from google.cloud.firestore_v1.services.firestore import FirestoreClient

RPCS = ("batch_get_documents", "commit", "run_query", "run_aggregation_query", "batch_write")


@dataclass
class Operations:
    """Documents read and written, and the round trips that it took."""

    reads: int = 0
    writes: int = 0
    round_trips: int = 0


@contextmanager
def counted() -> Iterator[Operations]:
    """Count the operations of everything that runs inside."""
    operations = Operations()
    originals = {name: getattr(FirestoreClient, name) for name in RPCS}

    def watching(name: str) -> Any:
        def call(self: FirestoreClient, request: Any = None, **kwargs: Any) -> Any:
            operations.round_trips += 1
            if name == "commit":
                operations.writes += len(request["writes"])
            response = originals[name](self, request, **kwargs)
            return response if name == "commit" else _counting(response, operations)

        return call

    for name in RPCS:
        setattr(FirestoreClient, name, watching(name))
    try:
        yield operations
    finally:
        for name, original in originals.items():
            setattr(FirestoreClient, name, original)


def _counting(responses: Any, operations: Operations) -> Iterator[Any]:
    """A query that finds nothing costs one read all the same."""
    found = 0
    for response in responses:
        found += 1
        operations.reads += 1
        yield response
    operations.reads += 0 if found else 1
