"""A long-term memory bullet in its parts (PRD §4.5): `[source / title / time / name] text`."""

from typing import NamedTuple

_PARTS = 4


class LtmBullet(NamedTuple):
    """`where` is the source with the title: `Episode / "…"` or `Messenger / DM`."""

    where: str
    when: str
    name: str
    body: str

    def __str__(self) -> str:
        return f"[{self.where} / {self.when} / {self.name}] {self.body}"


def read_bullet(line: str) -> LtmBullet:
    """The parts of a bullet that the reader has accepted. Titles may hold brackets and slashes."""
    end = line.find("] ")
    while line.count(" / ", 0, end) < _PARTS - 1 and line.find("] ", end + 1) > 0:
        end = line.find("] ", end + 1)
    parts = line[1:end].split(" / ")
    place = 2 if parts[0] == "Messenger" else len(parts) - 2
    return LtmBullet(
        where=" / ".join(parts[:place]),
        when=parts[place],
        name=" / ".join(parts[place + 1 :]),
        body=line[end + 2 :],
    )
