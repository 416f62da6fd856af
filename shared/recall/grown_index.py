"""What changes of the lorebook's index rides in a commit with the fence."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GrownIndex:
    """The shards to write, by number, and what the fence says of the whole."""

    shards: dict[int, bytes]
    embeddings: dict[int, bytes]
    fence: dict[str, int]
