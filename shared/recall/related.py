"""What the chosen entries are related to (PRD §4.10)."""

from collections.abc import Collection, Sequence

from shared.recall.entry import Secrecy
from shared.recall.index import RecallIndex
from shared.recall.recall_settings import RecallSettings


def related_places(
    chosen: Sequence[int],
    index: RecallIndex,
    *,
    may_know: Collection[Secrecy],
    settings: RecallSettings,
) -> list[int]:
    """The places to bring in besides `chosen`, the nearest first, at most `most_related`.

    A secret is not brought in, and nothing is reached through it.
    """
    seen, found, edge = set(chosen), list[int](), list(chosen)
    for _ in range(settings.hops):
        reached: list[int] = []
        for place in edge:
            for target in index.relation_places.get(place, ()):
                if target not in seen and index.fields[target].secrecy in may_know:
                    seen.add(target)
                    reached.append(target)
        found += reached
        edge = reached
    return found[: settings.most_related]
