"""The second half of a v5 output: what newly happened, an entry an event (PRD §4.10, §8-C)."""

import re
from collections.abc import Iterator

from pydantic import Field, ValidationError

from shared.errors import ModelOutputError
from shared.model.base import Frozen
from shared.model.lorebook import DEFAULT_IMPORTANCE, EntryKind, RelationKind, Secrecy
from shared.summarizing.document_lines import HEADING
from shared.summarizing.source_ids import listed_ids, split_ids

_FIELD = re.compile(
    r"(?:- )?(keywords|시점|기록|kind|importance|people|relations|secrecy|sources)\s*:\s*(.*)",
    re.IGNORECASE,
)
_RELATION = re.compile(r"(\w+)\s+(\S.*)")


class RelationOutput(Frozen):
    """How the event stands to another, which is named by its title."""

    kind: RelationKind
    title: str


class LorebookOutput(Frozen):
    """One event as the model wrote it. What recall needs is optional and has a default."""

    title: str
    keywords: list[str]
    when: str
    record: str
    kind: EntryKind | None = None
    importance: int = Field(default=DEFAULT_IMPORTANCE, ge=1, le=5)
    people: list[str] = Field(default_factory=list)
    relations: list[RelationOutput] = Field(default_factory=list)
    secrecy: Secrecy = "open"
    sources: list[str] = Field(default_factory=list)

    def without_ids(self) -> "LorebookOutput":
        """The entry with the ids that stand at the end of its record among its `sources`."""
        record, ids = split_ids(self.record, "m")
        sources = list(dict.fromkeys([*self.sources, *ids]))
        return self.model_copy(update={"record": record, "sources": sources})


def read_lorebook(lines: list[str]) -> list[LorebookOutput]:
    """The entries under the LOREBOOK delimiter. Raises ModelOutputError."""
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
    keywords = _listed(fields.get("keywords", ""), ",")
    if not keywords or not fields.get("시점") or not fields.get("기록"):
        raise ModelOutputError("a lorebook entry lacks keywords, time or record")
    given = {name: fields[name] for name in ("kind", "importance", "secrecy") if name in fields}
    try:
        return LorebookOutput.model_validate(
            {
                "title": title,
                "keywords": keywords,
                "when": fields["시점"],
                "record": fields["기록"],
                "people": _listed(fields.get("people", ""), ","),
                "relations": [
                    _relation(text) for text in _listed(fields.get("relations", ""), ";")
                ],
                "sources": listed_ids(fields.get("sources", "")),
                **given,
            }
        )
    except ValidationError as error:
        field = error.errors(include_input=False, include_url=False)[0]["loc"][0]
        raise ModelOutputError(f"a lorebook entry's {field} is none that was offered") from None


def _listed(text: str, separator: str) -> list[str]:
    return [part.strip() for part in text.split(separator) if part.strip()]


def _relation(text: str) -> dict[str, str]:
    match = _RELATION.fullmatch(text)
    if match is None:
        raise ModelOutputError("a lorebook entry's relations are none that were offered")
    return {"kind": match[1].lower(), "title": match[2]}
