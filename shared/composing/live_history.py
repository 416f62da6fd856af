"""Group B: the context and the live turns, mapped onto Gemini's contents (PRD §8-D)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from shared.composing.composed import Content, Part
from shared.images import told
from shared.local_time import stamp
from shared.model.thread import Message
from shared.ports import TokenCounter
from shared.safety.fencing import split_lines
from shared.turns import turns

HEADING = "# Live Chat History"
NO_MESSAGE = "(no message yet)"


def live_lines(message: Message, where: ZoneInfo) -> str:
    """A message as it stands in the history: every line led by its local time and weekday.

    An image is a line too, the last one.
    """
    when = stamp(message.created_at, where)
    return "\n".join(f"{when} {line}" for line in split_lines(told(message)) if line.strip())


def live_tokens(message: Message, where: ZoneInfo, tokens: TokenCounter) -> int:
    """What the lines of a message cost, from the count that is stored with it.

    Counted by parts, so never less than the tokens of the whole. The count of a message with an
    image holds the image too, so its lines are counted here.
    """
    lines, stored = told(message), message.token_count
    text = tokens.count(lines) if stored is None or message.image else stored
    breaks = len(split_lines(lines))
    return text + breaks * (tokens.count(stamp(message.created_at, where)) + 1)


def frame_tokens(
    messages: Sequence[Message], *, where: ZoneInfo, now: datetime, tokens: TokenCounter
) -> int:
    """What `contents` adds around context and messages: the heading, and the closing part."""
    frame = tokens.count(_heading(messages))
    if messages and messages[-1].role == "soul":
        frame += tokens.count(_closing(now, where))
    return frame


def _heading(messages: Sequence[Message]) -> str:
    return f"\n\n{HEADING}" if messages else f"\n\n{HEADING}\n{NO_MESSAGE}"


def _closing(now: datetime, where: ZoneInfo) -> str:
    return f"# Now\n{stamp(now, where)} {{user}} has not written since."


def contents(
    context: str,
    messages: Sequence[Message],
    *,
    where: ZoneInfo,
    now: datetime,
    files: Mapping[str, Part],
) -> tuple[Content, ...]:
    """One leading user part with the context, then the turns as `user` and `model`.

    Contents open with `user` and alternate, as Gemini requires; a user turn of several messages
    is one part, but for the images among `files` (by message), each of which follows its own
    message. Where the soul spoke last, a closing user part says that nobody has answered.
    """
    lead = Part(text=f"{context}{_heading(messages)}".lstrip("\n"))
    turned = [
        Content(
            role="user" if turn[0].role == "user" else "model",
            parts=tuple(_parts(turn, where, files)),
        )
        for turn in turns(messages)
    ]
    if turned and turned[0].role == "user":
        first = Content(role="user", parts=(lead, *turned[0].parts))
        turned = [first, *turned[1:]]
    else:
        turned = [Content(role="user", parts=(lead,)), *turned]
    if turned[-1].role == "model":
        turned.append(Content(role="user", parts=(Part(text=_closing(now, where)),)))
    return tuple(turned)


def _parts(turn: Sequence[Message], where: ZoneInfo, files: Mapping[str, Part]) -> Iterator[Part]:
    lines: list[str] = []
    for message in turn:
        lines.append(live_lines(message, where))
        if file := files.get(message.message_id):
            yield Part(text="\n".join(lines))
            yield file
            lines = []
    if lines:
        yield Part(text="\n".join(lines))
