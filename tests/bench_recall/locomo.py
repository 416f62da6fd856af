"""LoCoMo as entries and questions. The data is CC BY-NC and stays outside the project.

A turn is an entry ("speaker: text", then the caption of its image if there is one), and so is an
observation. A session is a cycle, the speaker is the one person of an entry, and there are no
keywords. Of the questions, categories 1 to 4 with at least one turn as evidence.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shared.recall.entry import RecallEntry

_TURN_ID = re.compile(r"D\d+:\d+")
_CATEGORIES = {1, 2, 3, 4}


class Question(NamedTuple):
    """A question and the ids of the turns that answer it."""

    text: str
    evidence: frozenset[str]


class Collection(NamedTuple):
    """Entries of one conversation, the turns that each is evidence for, and the questions."""

    name: str
    entries: Sequence[RecallEntry]
    turns_of: dict[str, frozenset[str]]
    questions: Sequence[Question]


def read_turns(path: Path) -> list[Collection]:
    """Every conversation with its dialog turns for entries."""
    return [_turns(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def read_observations(path: Path) -> list[Collection]:
    """Every conversation with its observations for entries."""
    return [_observations(one) for one in json.loads(path.read_text(encoding="utf-8"))]


def _sessions(conversation: dict[str, Any]) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    numbers = [int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key)]
    for number in sorted(numbers):
        yield number, conversation[f"session_{number}"]


def _turns(sample: dict[str, Any]) -> Collection:
    name, entries = sample["sample_id"], list[RecallEntry]()
    for number, turns in _sessions(sample["conversation"]):
        for turn in turns:
            caption = turn.get("blip_caption", "")
            entries.append(
                RecallEntry(
                    entry_id=f"{name}/{turn['dia_id']}",
                    cycle_id=f"{name}/{number}",
                    turn=len(entries),
                    title="",
                    record=f"{turn['speaker']}: {turn['text']} {caption}",
                    people=(turn["speaker"],),
                )
            )
    turns_of = {entry.entry_id: frozenset({entry.entry_id}) for entry in entries}
    return Collection(name, entries, turns_of, _questions(sample))


def _observations(sample: dict[str, Any]) -> Collection:
    name = sample["sample_id"]
    entries: list[RecallEntry] = []
    turns_of: dict[str, frozenset[str]] = {}
    for session, lines_of in sample["observation"].items():
        number = re.sub(r"\D", "", session)
        for speaker, lines in lines_of.items():
            for text, evidence in lines:
                entry = RecallEntry(
                    entry_id=f"{name}/{len(entries)}",
                    cycle_id=f"{name}/{number}",
                    title="",
                    record=text,
                    people=(speaker,),
                )
                entries.append(entry)
                turns_of[entry.entry_id] = _turn_ids(name, evidence)
    return Collection(name, entries, turns_of, _questions(sample))


def _turn_ids(name: str, evidence: object) -> frozenset[str]:
    return frozenset(f"{name}/{found}" for found in _TURN_ID.findall(str(evidence)))


def _questions(sample: dict[str, Any]) -> list[Question]:
    name = sample["sample_id"]
    known = {
        f"{name}/{turn['dia_id']}"
        for _, turns in _sessions(sample["conversation"])
        for turn in turns
    }
    found = []
    for one in sample["qa"]:
        evidence = _turn_ids(name, one.get("evidence", [])) & known
        if one["category"] in _CATEGORIES and evidence:
            found.append(Question(one["question"], evidence))
    return found
