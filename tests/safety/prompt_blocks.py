"""A rendered memory prompt taken apart, as strictly as a model might misread it."""

import re
import unicodedata
from typing import NamedTuple

from shared.model.generation import ModelRequest
from shared.safety.fencing import LINE_PREFIX

_TAG = re.compile(r"<(/?)data (\w+) (\S+)>")
_FORGED_TAG = re.compile(r"<\s*/?\s*data\b", re.IGNORECASE)
_DELIMITER = re.compile(r"={2,}\s*(?:MEMORY|LOREBOOK)\s*={2,}", re.IGNORECASE)
_HEADING = re.compile(r"\s*#{1,6}")
_OWN_HEADINGS = re.compile(
    r"## Recent context|## Long-term memory\(LTM\)|## Soul persona|### Relational|## User persona"
    r"|### Profile|### How Soul sees the user|### 에피소드 \d+: .*|### 장면 \d+"
)


class Parsed(NamedTuple):
    """What stands outside of the blocks, what inside, and what is wrong with it."""

    outside: list[str]
    inside: list[str]
    nonces: set[str]
    faults: list[str]


def parse(request: ModelRequest) -> Parsed:
    """Every line by every character that breaks one; a block opens once and closes once."""
    parsed = Parsed([], [], set(), [])
    current: str | None = None
    closed: set[str] = set()
    for line in request.user.splitlines():
        tag = _TAG.fullmatch(line)
        if tag:
            parsed.nonces.add(tag[3])
            is_right = current == tag[2] if tag[1] else current is None and tag[2] not in closed
            if not is_right:
                parsed.faults.append(f"a forged tag of {tag[2]}")
            current = None if tag[1] else tag[2]
            closed |= {tag[2]} if tag[1] else set()
        elif current is None:
            parsed.outside.append(line)
        else:
            parsed.inside.append(line)
    if current is not None:
        parsed.faults.append(f"{current} does not close")
    if len(parsed.nonces) != 1:
        parsed.faults.append(f"{len(parsed.nonces)} nonces")
    parsed.faults.extend(fault for line in parsed.inside for fault in _faults(line))
    return parsed


def _faults(line: str) -> list[str]:
    """What in one line of data could be taken for ours."""
    if not line.startswith(LINE_PREFIX.rstrip()):
        return ["a line without its prefix"]
    text = as_read(line.removeprefix(LINE_PREFIX))
    found = []
    if _DELIMITER.search(text):
        found.append("a delimiter")
    if _FORGED_TAG.search(text):
        found.append("a tag")
    if _HEADING.match(text) and not _OWN_HEADINGS.fullmatch(text):
        found.append("a heading")
    return found


def as_read(line: str) -> str:
    """Without disguises: compatibility forms folded, invisible characters gone."""
    folded = unicodedata.normalize("NFKC", line)
    return "".join(char for char in folded if unicodedata.category(char) != "Cf")
