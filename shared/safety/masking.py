"""Redaction for places that must go on: what cannot be made safe is left out as a whole.

`redact` raises where it fails. A prompt, though, is composed whatever one message holds, and a
thread's memory must not stop for good at a text that somebody built against the redactor.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from shared.model.slots import SLOT_NAMES, DefaultPersona, InitialSituation, MessengerBio, Slots
from shared.model.thread import Message
from shared.ports import DirectorDocuments
from shared.safety.fencing import neutralize_memory
from shared.safety.redaction import REDACTED, Redacted, RedactionError, redact

Sensitive = tuple[str, str]
"""(slot, kind) of something that was masked."""


def mask(text: str) -> Redacted:
    """`text` with its secrets masked; the mask alone where redaction fails."""
    return _masked(text, redact)


# A chat's persona, memory and window come again with every prompt of the same chat.
@lru_cache(maxsize=1024)
def _masked(text: str, redacting: Callable[[str], Redacted]) -> Redacted:
    try:
        return redacting(text)
    except RedactionError:
        return Redacted(REDACTED, ())


_neutral = lru_cache(maxsize=256)(neutralize_memory)


def masked_message(message: Message) -> Message:
    """The message without its secrets; its stored token count goes where the text has changed."""
    text = mask(message.text).text
    if text == message.text:
        return message
    return message.model_copy(update={"text": text, "token_count": None})


def masked_messages(messages: Sequence[Message]) -> list[Message]:
    return [masked_message(message) for message in messages]


def masked_director(director: DirectorDocuments) -> tuple[DirectorDocuments, list[Sensitive]]:
    """What the director wrote, as a model may read it, and what was masked in it."""
    found: list[Sensitive] = []

    def masked(slot: str, text: str) -> str:
        redacted = mask(text)
        found.extend((slot, finding.kind) for finding in redacted.findings)
        return redacted.text

    bio, opening = director.bio, director.initial_situation
    documents = {
        "bio": MessengerBio(
            display_name=masked("soul_messenger_bio", bio.display_name),
            status=masked("soul_messenger_bio", bio.status),
        ),
        "persona": DefaultPersona(content=masked("soul_default_persona", director.persona.content)),
        "initial_situation": opening
        and InitialSituation(content=masked("chat_initial_situation", opening.content)),
    }
    return director.model_copy(update=documents), found


def masked_memory(slots: Slots) -> Slots:
    """The slots as they enter a prompt: stored redacted, but perhaps before a rule was there."""
    return Slots(**{name: _neutral(mask(slots.of(name)).text) for name in SLOT_NAMES})
