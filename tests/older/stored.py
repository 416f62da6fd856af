"""Documents as earlier versions stored them, one file a version, each dumped from its own code.

A chat of a few days: a seed, a summary whose first output did not read, messages since, and the
next cycle asked for. `{"$time": …}` is a timestamp, `{"$bytes": …}` is base64.
"""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
VERSIONS = sorted(file.stem for file in FOLDER.glob("*.json"))
UID, SOUL_ID = "지우", "seoyun"

Documents = Mapping[str, dict[str, Any]]


def read(version: str) -> Documents:
    """Path → fields, as a client would give them."""
    text = (FOLDER / f"{version}.json").read_text("utf-8")
    return {path: _value(body) for path, body in json.loads(text).items()}


def _value(stored: Any) -> Any:
    if isinstance(stored, list):
        return [_value(one) for one in stored]
    if not isinstance(stored, dict):
        return stored
    if "$time" in stored:
        return datetime.fromisoformat(stored["$time"])
    if "$bytes" in stored:
        return base64.b64decode(stored["$bytes"])
    return {name: _value(one) for name, one in stored.items()}
