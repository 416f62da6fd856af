"""The chat as the memory's model reads it: a line a message, a line a day."""

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from shared.images import told
from shared.local_time import clock_time, day
from shared.model.thread import Message
from shared.safety.fencing import neutralize, one_line, split_lines

USER = "{user}"


def transcript(messages: Sequence[Message], *, soul_name: str, where: ZoneInfo) -> str:
    """`messages` in local time, numbered; lines inside one message are indented under its first.

    The indent is what keeps a message from speaking in another's name. Days stand on lines of
    their own, since a full stamp on every line would cost more than many messages do. An image is
    a line that says so: memory's model does not see it.
    """
    return "\n".join(_lines(messages, one_line(soul_name), where))


def message_label(number: int) -> str:
    """What the model calls the `number`-th message of a call."""
    return f"m{number}"


def _lines(messages: Sequence[Message], soul_name: str, where: ZoneInfo) -> Iterator[str]:
    current = ""
    for number, message in enumerate(messages, start=1):
        today = day(message.created_at, where)
        if today != current:
            yield today
            current = today
        speaker = USER if message.role == "user" else soul_name
        first, *rest = split_lines(neutralize(told(message).strip()))
        yield f"{clock_time(message.created_at, where)} {message_label(number)} {speaker}: {first}"
        yield from (f"  {line}" for line in rest if line.strip())
