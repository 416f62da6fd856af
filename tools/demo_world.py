"""The world the demo starts in: a Soul as Studio writes it, plays as the game records them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.cloud.firestore import Client, WriteBatch

DATA = Path(__file__).parent / "demo_data"
WRITE_SECONDS = 20.0
SOUL_SLOTS = ("soul_messenger_bio", "soul_default_persona", "chat_initial_situation")
SOUL_FIELDS = ("character_ids", "time_zone", "language")
_TIMES = ("last_played_at", "cleared_at")


def demo_soul() -> dict[str, Any]:
    """Read the demo's Soul: its id, its document's fields and its slots."""
    soul: dict[str, Any] = json.loads((DATA / "soul.json").read_text(encoding="utf-8"))
    return soul


def demo_plays() -> list[dict[str, Any]]:
    """Read the episodes that the demo's user has played, with their summaries."""
    plays: list[dict[str, Any]] = json.loads((DATA / "plays.json").read_text(encoding="utf-8"))
    return plays


def write_soul(client: Client, soul: Mapping[str, Any]) -> None:
    """Write a Soul as its director would in the console, in one commit."""
    batch = client.batch()
    reference = client.document("souls", soul["soul_id"])
    body = {name: soul[name] for name in SOUL_FIELDS if name in soul}
    batch.set(reference, body)
    for slot in SOUL_SLOTS:
        if slot in soul:
            batch.set(reference.collection("slots").document(slot), soul[slot])
    batch.commit(timeout=WRITE_SECONDS)


def write_plays(client: Client, uid: str, plays: list[dict[str, Any]]) -> None:
    """Write what a user has played as the game's back end would, one commit a play."""
    for play in plays:
        batch = client.batch()
        _add_play(client, batch, uid, play)
        batch.commit(timeout=WRITE_SECONDS)


def _add_play(client: Client, batch: WriteBatch, uid: str, play: Mapping[str, Any]) -> None:
    parts = ("summaries", "scenes")
    body = {name: value for name, value in play.items() if name not in {"play_id", *parts}}
    for name in _TIMES:
        if isinstance(body.get(name), str):
            body[name] = datetime.fromisoformat(body[name])
    reference = client.document("users", uid, "plays", play["play_id"])
    batch.set(reference, body)
    for name, key in zip(parts, ("summary_id", "scene_id"), strict=True):
        for part in play.get(name, ()):
            fields = {field: value for field, value in part.items() if field != key}
            batch.set(reference.collection(name).document(part[key]), fields)
