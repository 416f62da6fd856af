"""The second half of a v5 output: what newly happened, an entry an event (PRD §4.10, §8-C)."""

import re
from collections.abc import Iterator

from shared.errors import ModelOutputError
from shared.model.base import Frozen
from shared.summarizing.document_lines import HEADING

_FIELD = re.compile(r"(?:- )?(keywords|시점|기록)\s*:\s*(.*)", re.IGNORECASE)


class LorebookOutput(Frozen):
    """One event as the model wrote it."""

    title: str
    keywords: list[str]
    when: str
    record: str


def read_lorebook(lines: list[str]) -> list[LorebookOutput]:
    return [_read_entry(title, body) for title, body in _entries(lines)]


def _entries(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    title: str | None = None
    body: list[str] = []
    for line in lines:
        if not line.strip():
            continue
        match = HEADING.fullmatch(line)
        if match is None:
            body.append(line)
            continue
        if match[1] != "###":
            raise ModelOutputError("a lorebook title has the wrong heading level")
        if title is not None:
            yield title, body
        elif body:
            raise ModelOutputError("text stands before the first lorebook entry")
        title, body = match[2].strip(), []
    if title is not None:
        yield title, body
    elif body:
        raise ModelOutputError("the lorebook holds something that is no entry")


def _read_entry(title: str, lines: list[str]) -> LorebookOutput:
    fields: dict[str, str] = {}
    for line in lines:
        match = _FIELD.fullmatch(line.strip()) if not line.startswith("  ") else None
        if match is not None and match[1].lower() not in fields:
            fields[match[1].lower()] = match[2].strip()
        elif match is None and line.startswith("  ") and next(reversed(fields), "") == "기록":
            fields["기록"] = f"{fields['기록']} {line.strip()}".strip()
        else:
            raise ModelOutputError("a lorebook entry has a line that is no field of it")
    keywords = [word.strip() for word in fields.get("keywords", "").split(",") if word.strip()]
    if not keywords or not fields.get("시점") or not fields.get("기록"):
        raise ModelOutputError("a lorebook entry lacks keywords, time or record")
    return LorebookOutput(
        title=title, keywords=keywords, when=fields["시점"], record=fields["기록"]
    )
