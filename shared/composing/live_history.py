"""Group B: the context and the live turns, mapped onto Gemini's contents (PRD §8-D)."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from shared.composing.composed import Content, Part
from shared.local_time import stamp
from shared.model.thread import Message
from shared.ports import TokenCounter
from shared.safety.fencing import split_lines
from shared.turns import turns

HEADING = "# Live Chat History"
NO_MESSAGE = "(no message yet)"


def live_lines(message: Message, where: ZoneInfo) -> str:
    """A message as it stands in the history: every line led by its local time and weekday."""
    when = stamp(message.created_at, where)
    return "\n".join(f"{when} {line}" for line in split_lines(message.text) if line.strip())


def live_tokens(message: Message, where: ZoneInfo, tokens: TokenCounter) -> int:
    """What a message costs in the history, from the count that is stored with it.

    Counted by parts, so never less than the tokens of the whole.
    """
    text = tokens.count(message.text) if message.token_count is None else message.token_count
    breaks = len(split_lines(message.text))
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
    context: str, messages: Sequence[Message], *, where: ZoneInfo, now: datetime
) -> tuple[Content, ...]:
    """One leading user part with the context, then the turns as `user` and `model`.

    Contents open with `user` and alternate, as Gemini requires; a user turn of several messages
    is one part. Where the soul spoke last, a closing user part says that nobody has answered.
    """
    lead = Part(text=f"{context}{_heading(messages)}".lstrip("\n"))
    turned = [
        Content(
            role="user" if turn[0].role == "user" else "model",
            parts=(Part(text="\n".join(live_lines(message, where) for message in turn)),),
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
