"""A share of threads on another version of a prompt, or on another model, before everybody is.

Which side a thread is on follows from its ids alone, so it stays there, however often and wherever
it is asked. A share that grows keeps those who are on it.
"""

import hashlib
from typing import Annotated

from pydantic import Field

from shared.model.base import Frozen
from shared.model.thread import ThreadKey

PromptVersion = Annotated[str, Field(pattern=r"^v[1-9][0-9]*$")]


class Canary(Frozen):
    """What `share` (0 to 1) of all threads get: this version, this model, or both."""

    version: PromptVersion | None = None
    model: Annotated[str, Field(min_length=1)] | None = None
    share: Annotated[float, Field(ge=0, le=1)]


def is_on_canary(thread: ThreadKey, prompt: str, share: float) -> bool:
    """Whether the thread belongs to that share of all threads, for the prompt of this name."""
    ids = "/".join((thread.uid, thread.soul_id, prompt))  # no id holds a slash
    place = int.from_bytes(hashlib.sha256(ids.encode()).digest()[:8], "big")
    return place < share * 2**64
