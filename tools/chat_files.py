"""Reads a recorded chat: JSON lines of `{role, text, created_at}`, or a SillyTavern export.

Nothing that a message says ever gets into an error or a note: line numbers and field names only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from tools.chat_lines import ChatFileError, JsonLine, json_lines
from tools.chat_text import is_blank, pieces, without_surrogates
from tools.chat_times import TimeFormError, read_time

__all__ = ["ZONE", "Chat", "ChatFileError", "ChatMessage", "read_chat"]

ZONE = ZoneInfo("Asia/Seoul")
_ROLES = {"user": "user", "human": "user", "soul": "soul"} | dict.fromkeys(
    ("assistant", "model", "char", "character", "bot"), "soul"
)
_OWN_ROLES = ("user", "soul")
_STEP = timedelta(microseconds=1)


@dataclass(frozen=True)
class ChatMessage:
    """One message; `created_at` is in UTC."""

    role: str
    text: str
    created_at: datetime


@dataclass(frozen=True)
class Chat:
    """A chat in the order of its file, times rising; `notes` say what was changed in reading."""

    soul_name: str
    messages: tuple[ChatMessage, ...]
    notes: tuple[str, ...]


def read_chat(path: Path, *, now: datetime | None = None) -> Chat:
    """Read a chat whole. Raises ChatFileError, one sentence that names the line."""
    lines = list(json_lines(path))
    if not lines:
        raise ChatFileError("the file holds no message")
    notes: Counter[str] = Counter()
    if _is_sillytavern(lines[0]):
        soul_name, found = _sillytavern_name(lines), list(_from_sillytavern(lines, notes))
    else:
        soul_name, found = path.stem, list(_from_plain(lines, notes))
    messages = _in_order(list(_fit_to_send(found, notes)), notes)
    if not messages:
        raise ChatFileError("the file holds no message that could be sent")
    messages, weeks = _in_the_past(messages, now or datetime.now(UTC))
    if weeks:
        notes[f"all times moved {weeks} weeks back, since a chat cannot be in the future"] = 1
    return Chat(
        soul_name=without_surrogates(soul_name.strip()) or "Soul",
        messages=tuple(messages),
        notes=tuple(line.format(count=count) for line, count in notes.items()),
    )


def _is_sillytavern(line: JsonLine) -> bool:
    if {"role", "text"} & line.body.keys():
        return False
    if {"mes", "chat_metadata", "character_name", "user_name"} & line.body.keys():
        return True
    raise ChatFileError(
        f'line {line.number} has neither "role" and "text" nor what SillyTavern writes'
    )


def _from_plain(lines: Sequence[JsonLine], notes: Counter[str]) -> Iterator[ChatMessage]:
    for line in lines:
        role = line.text("role").strip().lower()
        if role == "system":
            notes["{count} system lines skipped"] += 1
            continue
        if role not in _ROLES:
            raise ChatFileError(f'line {line.number}: "role" must be "user" or "soul"')
        if role not in _OWN_ROLES:
            notes[f'{{count}} lines of role "{role}" read as "{_ROLES[role]}"'] += 1
        yield ChatMessage(_ROLES[role], line.text("text"), _time(line, "created_at", notes))


def _sillytavern_name(lines: Sequence[JsonLine]) -> str:
    """The character's name: of the first line, or of its first message where that says nothing."""
    named = lines[0].body.get("character_name")
    if isinstance(named, str) and named.strip() not in {"", "unused"}:
        return named
    speakers = (line.body.get("name") for line in lines if line.body.get("is_user") is False)
    return next((name for name in speakers if isinstance(name, str) and name.strip()), "Soul")


def _from_sillytavern(lines: Sequence[JsonLine], notes: Counter[str]) -> Iterator[ChatMessage]:
    for line in lines:
        if line is lines[0] and "mes" not in line.body:
            continue
        extra = line.body.get("extra")
        narrated = isinstance(extra, Mapping) and extra.get("type") == "narrator"
        if line.body.get("is_system") is True or narrated:
            notes["{count} system lines skipped"] += 1
            continue
        is_user = line.body.get("is_user")
        if not isinstance(is_user, bool):
            raise ChatFileError(f'line {line.number}: "is_user" must be true or false')
        role = "user" if is_user else "soul"
        yield ChatMessage(role, line.text("mes"), _time(line, "send_date", notes))


def _time(line: JsonLine, field: str, notes: Counter[str]) -> datetime:
    if field not in line.body:
        raise ChatFileError(f'line {line.number} has no "{field}"')
    try:
        found, said_zone = read_time(line.body[field], ZONE)
    except TimeFormError as error:
        raise ChatFileError(f'line {line.number}: "{field}" {error}') from error
    if not said_zone:
        notes[f"{{count}} times without a zone read as {ZONE.key}"] += 1
    return found


def _fit_to_send(messages: Sequence[ChatMessage], notes: Counter[str]) -> Iterator[ChatMessage]:
    """Leave out what nobody could send, and cut what is too long for one message."""
    for message in messages:
        text = without_surrogates(message.text)
        if text != message.text:
            notes["{count} texts with broken characters mended"] += 1
        if is_blank(text):
            notes["{count} empty messages skipped"] += 1
            continue
        parts = [part for part in pieces(text) if not is_blank(part)]
        if len(parts) > 1:
            notes["{count} messages above 4,000 UTF-16 units cut into several"] += 1
        yield from (replace(message, text=part) for part in parts)


def _in_order(messages: Sequence[ChatMessage], notes: Counter[str]) -> list[ChatMessage]:
    """Keep the file's order: a time that is not after the one before is moved just behind it."""
    ordered: list[ChatMessage] = []
    for message in messages:
        earliest = ordered[-1].created_at + _STEP if ordered else message.created_at
        if message.created_at < earliest:
            notes["{count} times not after the one before moved a microsecond behind it"] += 1
        ordered.append(replace(message, created_at=max(message.created_at, earliest)))
    return ordered


def _in_the_past(messages: Sequence[ChatMessage], now: datetime) -> tuple[list[ChatMessage], int]:
    """Move a chat that ends in the future back by whole weeks, so that weekdays stay."""
    ahead = messages[-1].created_at - now
    if ahead < timedelta(minutes=-1):
        return list(messages), 0
    weeks = (ahead + timedelta(minutes=1)) // timedelta(weeks=1) + 1
    back = timedelta(weeks=weeks)
    return [replace(one, created_at=one.created_at - back) for one in messages], weeks
