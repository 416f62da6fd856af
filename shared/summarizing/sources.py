"""What a summary cycle read, as the sources that its output is held against."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from shared.images import told
from shared.local_time import day, zone_of_soul
from shared.model.cycle import Consumed
from shared.model.thread import Message, MessageRef, ThreadKey
from shared.ports import DirectorDocuments, Threads
from shared.safety.evidence import Source
from shared.safety.fencing import neutralize
from shared.safety.masking import masked_message
from shared.summarizing.checking import Reading
from shared.summarizing.transcript import message_label
from shared.summarizing.working import HeldCycle

PAGE = 500


def message_sources(messages: Sequence[Message], where: ZoneInfo) -> tuple[Source, ...]:
    """Masked messages as the model reads them, numbered as in the transcript."""
    return tuple(
        Source(
            source_id=message_label(number),
            ref=message.message_id,
            role=message.role,
            text=neutralize(told(message).strip()),
            day=day(message.created_at, where),
        )
        for number, message in enumerate(messages, start=1)
    )


def reading_of(masked: Sequence[Message], director: DirectorDocuments, where: ZoneInfo) -> Reading:
    """What a call on these messages reads."""
    return Reading(
        sources=message_sources(masked, where),
        soul_name=director.bio.display_name,
        persona=director.persona.content,
    )


def read_again(held: HeldCycle) -> Reading:
    """What the kept output of an earlier attempt was made from, in the same numbering."""
    director = held.ports.souls.read_soul(held.key.soul_id)
    where = zone_of_soul(held.key.soul_id, director.soul.time_zone)
    consumed = held.cycle.consumed
    messages = _consumed(held.key, consumed, held.ports.threads) if consumed else []
    return reading_of(messages, director, where)


def _consumed(key: ThreadKey, consumed: Consumed, threads: Threads) -> list[Message]:
    """One that is gone since then keeps its place, without its words."""
    found = {one.message_id: one for one in messages_between(key, consumed, threads)}
    ids = consumed.message_ids or tuple(
        one.message_id for one in found.values() if one.set_aside_by is None
    )
    earlier = [one for one in ids if one not in found]
    found |= {one.message_id: one for one in threads.read_messages(key, earlier)}
    return [_masked(found[one]) if one in found else _gone(one, consumed) for one in ids]


def messages_between(key: ThreadKey, consumed: Consumed, threads: Threads) -> list[Message]:
    """The messages within a cycle's bounds that are still there, oldest first."""
    messages: list[Message] = []
    start: MessageRef = consumed.first
    while True:
        until = consumed.last.created_at
        page = threads.messages_from(key, start, until=until, limit=PAGE)
        fresh = [one.message for one in page if not messages or one.message.ref != start]
        messages += fresh
        if len(page) < PAGE or not fresh:
            return [one for one in messages if not consumed.last.is_before(one.ref)]
        start = messages[-1].ref


def _masked(message: Message) -> Message:
    return masked_message(message)


def _gone(message_id: str, consumed: Consumed) -> Message:
    return Message(
        message_id=message_id, role="user", text=" ", created_at=consumed.first.created_at
    )
